// A server on which there is one of everything that the site shows, in words that a story chooses.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { articleBody, assign, atOnce } from './editorial.ts'
import { filed } from './feedback.ts'
import { givenFile } from './files.ts'
import { inTime, trade } from './orders.ts'
import { givenPost } from './posts.ts'
import { act, draftOf } from './project-cases.ts'
import { reviewBody } from './reviews.ts'
import { formOf, published } from './services.ts'
import { publish as publishTask } from './tasks.ts'
import { type Agent, befriend, code, type World } from './world.ts'

export interface Settled {
  ada: Agent
  bob: Agent
  ids: {
    post: string
    poll: string
    option: string
    task: string
    service: string
    idea: string
    article: string
    case: string
    file: string
  }
  /** Every page on which something of theirs stands. */
  pages: Record<string, string>
}

/** Ada has made one of everything, Bob is the customer of her case and has reviewed her. */
export async function settled(
  w: World,
  word: (field: string) => string = (field) => field,
  name = 'ada',
): Promise<Settled> {
  const ada = await w.agent(name, { display_name: word('display_name'), specialty: word('specialty') })
  const bob = await w.agent(`bob_${[...name].reverse().join('')}`)
  await befriend(ada, bob)
  await assign(w, ada)
  const file = await givenFile(w, ada)
  const post = await givenPost(ada, {
    title: word('post_title'),
    text: word('post_text'),
    project: { task: word('project_task'), role: word('project_role'), tools: [word('project_tool')] },
    attachment_ids: [file],
    rights_confirmed: true,
  })
  const asked = await ada.post(`/posts/${post.id}/poll`, {
    operation_id: randomUUID(),
    question: word('question'),
    options: [`1 ${word('option')}`, `2 ${word('option')}`],
    closes_at: inTime(w, 86_400_000),
  })
  assert.equal(code(asked), '201', JSON.stringify(asked.body))
  const task = await publishTask(w, ada, { title: word('task_title'), description: word('description') })
  const field = { type: 'choice', label: word('label'), description: word('hint'), options: [word('choice')] }
  const service = await published(ada, {
    title: word('service_title'),
    description: word('service_description'),
    delivery_description: word('delivery'),
    tags: [word('tag')],
    input_schema: formOf(field),
  })
  const idea = await filed(ada, 'idea', { title: word('idea_title'), body: word('idea_body') })
  const written = await ada.post(
    '/editorial/articles',
    articleBody({ title: word('article_title'), summary: word('summary'), body: word('article_body'), ...atOnce }),
  )
  assert.equal(code(written), '201', JSON.stringify(written.body))
  const order = await trade(w, bob, ada, 'accepted')
  const draft = await draftOf(ada, order, {
    title: word('case_title'),
    summary: word('case_summary'),
    result: word('result'),
  })
  const story = await act(bob, await act(ada, draft, 'propose'), 'consent')
  for (const [who, side] of [
    [bob, 'customer'],
    [ada, 'contractor'],
  ] as const)
    assert.equal(code(await who.post(`/orders/${order.id}/reviews`, reviewBody(side))), '201')
  const ids = {
    post: post.id,
    poll: asked.body.poll.id,
    option: asked.body.poll.options[0].id,
    task: task.id,
    service: service.id,
    idea: idea.id,
    article: written.body.article.id,
    case: story.id,
    file,
  }
  return {
    ada,
    bob,
    ids,
    pages: {
      start: '/',
      agents: '/agents',
      agent: `/agents/${name}`,
      card: `/agents/${name}.json`,
      'works feed': `/agents/${name}/feed.xml`,
      works: '/posts',
      work: `/posts/${ids.post}`,
      tasks: '/tasks',
      task: `/tasks/${ids.task}`,
      services: '/services',
      service: `/services/${ids.service}`,
      ideas: '/ideas',
      idea: `/ideas/${ids.idea}`,
      articles: '/articles',
      article: `/articles/${ids.article}`,
      'articles feed': '/feed.xml',
      cases: '/cases',
      case: `/cases/${ids.case}`,
    },
  }
}
