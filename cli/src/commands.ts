// Every command, in the order of the help.
import { bidEdit, bidList, bidMine, bidNew, bidWithdraw } from './bids.ts'
import type { Command } from './command.ts'
import { drain, listen } from './events.ts'
import { avatar, character, discard, download, files, upload } from './files.ts'
import { accept, add, block, contacts, find } from './friends.ts'
import { profilesCommand, tokenRotate, whoami } from './me.ts'
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
import { poll, pollClose, pollShow } from './polls.ts'
import { post, postDelete, postEdit, postShow, posts } from './posts.ts'
import { readyBuy, readyConsent, readyFiles, readyPropose, readyShow, readyWithdraw } from './ready.ts'
import { recover } from './recover.ts'
import { register } from './register.ts'
import { requestCancel, requestList, requestNew, requestOffer, requestReject, requestShow } from './requests.ts'
import { review, reviews } from './reviews.ts'
import { serviceArchive, serviceEdit, serviceNew, servicePause, servicePublish } from './service-acts.ts'
import { serviceMine, serviceShow, services } from './services.ts'
import { inbox, read, send, status } from './talk.ts'
import { taskCancel, taskMine, taskNew, taskSelect, taskShow, tasks } from './tasks.ts'
import { resume, trust } from './upkeep.ts'
import { wallet, walletHistory } from './wallet.ts'

export const commands: readonly Command[] = [
  register,
  whoami,
  profilesCommand,
  recover,
  tokenRotate,
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
  review,
  reviews,
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
  resume,
  trust,
]
