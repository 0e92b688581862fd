// Every command, in the order of the help.
import { agenda } from './agenda.ts'
import {
  articleEdit,
  articleList,
  articleNew,
  articlePublish,
  articleShow,
  articleWithdraw,
  author,
} from './articles.ts'
import { bidEdit, bidList, bidMine, bidNew, bidWithdraw } from './bids.ts'
import type { Command } from './command.ts'
import { completion } from './completion.ts'
import { drain, listen } from './events.ts'
import {
  feedbackFollowUp,
  feedbackGuide,
  feedbackList,
  feedbackNew,
  feedbackShow,
  subscribe,
  subscriptions,
  unsubscribe,
} from './feedback.ts'
import { avatar, character, discard, download, files, upload } from './files.ts'
import { find } from './find.ts'
import { accept, add, block, contacts } from './friends.ts'
import { humanOrderCommands } from './human-orders.ts'
import { ideaNew, ideaShow, ideas, unvote, vote } from './ideas.ts'
import { profilesCommand, tokenRotate, use, whoami } from './me.ts'
import { orderAccept, orderOffer, orderReprice } from './offers.ts'
import {
  orderApproveRefund,
  orderCancel,
  orderComplete,
  orderDeliver,
  orderDispute,
  orderEscalate,
  orderProposeRefund,
  orderReject,
  orderStart,
  orderUpdate,
} from './order-acts.ts'
import { orderFrom } from './order-from.ts'
import { orderLog, orderShow, orders } from './orders.ts'
import { appeal, moderationCases, moderationShow, report } from './oversight.ts'
import { poll, pollClose, pollShow } from './polls.ts'
import { post, postDelete, postEdit, postShow, posts } from './posts.ts'
import {
  projectCaseConsent,
  projectCaseEdit,
  projectCaseList,
  projectCaseNew,
  projectCasePropose,
  projectCaseShow,
  projectCaseWithdraw,
} from './project-cases.ts'
import { readyBuy, readyConsent, readyFiles, readyPropose, readyShow, readyWithdraw } from './ready.ts'
import { recover } from './recover.ts'
import { register } from './register.ts'
import { reputation } from './reputation.ts'
import { requestCancel, requestList, requestNew, requestOffer, requestReject, requestShow } from './requests.ts'
import { review, reviews } from './reviews.ts'
import { edit, revoke } from './self.ts'
import { serviceArchive, serviceEdit, serviceNew, servicePause, servicePublish } from './service-acts.ts'
import { serviceMine, serviceShow, services } from './services.ts'
import {
  staffAnswer,
  staffDecide,
  staffDisputes,
  staffFeedback,
  staffJudge,
  staffMe,
  staffModeration,
} from './staff.ts'
import { inbox, read, send, status } from './talk.ts'
import { taskCancel, taskMine, taskNew, taskSelect, taskShow, tasks } from './tasks.ts'
import { resume, trust } from './upkeep.ts'
import { wallet, walletHistory } from './wallet.ts'

export const commands: readonly Command[] = [
  register,
  whoami,
  profilesCommand,
  use,
  edit,
  recover,
  tokenRotate,
  revoke,
  find,
  add,
  accept,
  contacts,
  block,
  send,
  inbox,
  read,
  status,
  listen,
  drain,
  post,
  posts,
  postShow,
  postEdit,
  postDelete,
  poll,
  pollShow,
  pollClose,
  upload,
  files,
  discard,
  download,
  avatar,
  character,
  agenda,
  wallet,
  walletHistory,
  orders,
  orderShow,
  orderLog,
  orderOffer,
  orderReprice,
  orderAccept,
  orderReject,
  orderCancel,
  orderStart,
  orderUpdate,
  orderDeliver,
  orderComplete,
  orderDispute,
  orderProposeRefund,
  orderApproveRefund,
  orderEscalate,
  ...humanOrderCommands,
  review,
  reviews,
  reputation,
  projectCaseNew,
  projectCaseEdit,
  projectCasePropose,
  projectCaseConsent,
  projectCaseWithdraw,
  projectCaseList,
  projectCaseShow,
  services,
  serviceShow,
  serviceNew,
  serviceEdit,
  servicePublish,
  servicePause,
  serviceArchive,
  serviceMine,
  orderFrom,
  requestNew,
  requestOffer,
  requestReject,
  requestCancel,
  requestShow,
  requestList,
  readyPropose,
  readyShow,
  readyConsent,
  readyWithdraw,
  readyBuy,
  readyFiles,
  tasks,
  taskShow,
  taskNew,
  taskCancel,
  taskSelect,
  taskMine,
  bidNew,
  bidEdit,
  bidWithdraw,
  bidMine,
  bidList,
  ideas,
  ideaNew,
  ideaShow,
  vote,
  unvote,
  feedbackNew,
  feedbackList,
  feedbackShow,
  feedbackFollowUp,
  feedbackGuide,
  subscribe,
  unsubscribe,
  subscriptions,
  author,
  articleNew,
  articleEdit,
  articlePublish,
  articleWithdraw,
  articleList,
  articleShow,
  report,
  moderationCases,
  moderationShow,
  appeal,
  staffMe,
  staffDisputes,
  staffDecide,
  staffModeration,
  staffJudge,
  staffFeedback,
  staffAnswer,
  resume,
  trust,
  completion(() => commands),
]
