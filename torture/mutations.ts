// What may be taken away from the service, and what the torture must find then.
export interface Change {
  file: string
  /** Found exactly once, or the mutant would no longer test anything. */
  text: string
  instead: string
}

interface Mutant {
  name: string
  changes: readonly Change[]
  /** What the torture must find: reasons that this mutation gives. */
  finds: RegExp
  /** Where it takes longer than others to be seen. */
  seconds?: number
}

export const mutants: readonly Mutant[] = [
  {
    name: 'without the lock of the order',
    changes: [
      {
        file: 'server/src/modules/orders/orders.ts',
        text: 'find(tx, partyId, id, list, part`for no key update`)',
        instead: 'find(tx, partyId, id, list)',
      },
      { file: 'server/src/modules/orders/changing.ts', text: '    for no key update of o`', instead: '`' },
    ],
    finds: /the service answered 500|two writes were acknowledged at one version/,
  },
  {
    name: 'without the insert into the outbox',
    changes: [
      {
        file: 'server/src/events/outbox.ts',
        text: ' as t (recipient, id)`',
        instead: ' as t (recipient, id) where false`',
      },
    ],
    finds: /an event never came/,
  },
  {
    name: 'without the unique key of operations',
    changes: [
      {
        file: 'server/migrations/0003_operations.sql',
        text: '  created_at timestamptz not null,\n  primary key (actor_id, operation_id)\n)',
        instead: '  created_at timestamptz not null\n)',
      },
    ],
    finds: /new twice|made two things|version_conflict|refused when it was sent again|other content/,
  },
  {
    name: 'a look before the insert instead of the key',
    changes: [
      {
        file: 'server/migrations/0003_operations.sql',
        text: '  created_at timestamptz not null,\n  primary key (actor_id, operation_id)\n)',
        instead: '  created_at timestamptz not null\n)',
      },
      {
        file: 'server/src/store/once.ts',
        text: '    on conflict do nothing returning operation_id`',
        instead: '    returning operation_id`',
      },
      {
        file: 'server/src/store/once.ts',
        text: `    values (\${operation.actor}, \${operation.operationId}, \${digest}, \${operation.resourceId}, \${tx.now})`,
        instead: `    select \${operation.actor}, \${operation.operationId}, \${digest}, \${operation.resourceId}, \${tx.now}
    where not exists (select 1 from operations
      where actor_id = \${operation.actor} and operation_id = \${operation.operationId})`,
      },
    ],
    finds: /new twice|made two things|version_conflict/,
  },
  {
    name: 'with commits that do not wait for the disk',
    changes: [
      {
        file: 'server/src/embedded/settings.ts',
        text: "synchronous_commit: 'on'",
        instead: "synchronous_commit: 'off'",
      },
    ],
    finds:
      /sent again|came again|new twice|made two|nobody expects: not_found|not in the history|in no history|in no list|fell behind|two writes/,
  },
  {
    name: 'without the mark of a quote that gave an order',
    changes: [
      {
        file: 'server/src/modules/catalog/quotes.ts',
        text: `q.order_id is null and q.expires_at > \${tx.now}`,
        instead: `q.expires_at > \${tx.now}`,
      },
    ],
    finds: /two orders by one quote|the service answered 500/,
  },
  {
    name: 'without the lock of the task whose bid is selected',
    changes: [
      {
        file: 'server/src/modules/tasks/tasks.ts',
        text: '  await lockCustomer(tx, me.id)\n  return findLocked(tx, me.id, id)\n}',
        instead: '  await lockCustomer(tx, me.id)\n  return seen\n}',
      },
    ],
    finds: /the service answered 500|two writes were acknowledged at one version|not what its writes make it/,
  },
  {
    name: 'without the reserve of a purchase',
    changes: [
      {
        file: 'server/src/modules/orders/orders.ts',
        text: "if (order.state !== 'offered') await reserve(",
        instead: "if (order.state === 'funded') await reserve(",
      },
    ],
    finds: /a wallet moved otherwise|nobody expects: state_conflict|the service answered 500/,
  },
  {
    name: 'without the lock of the case that is decided',
    changes: [
      {
        file: 'server/src/modules/moderation/cases.ts',
        text: `select * from moderation_cases where id = \${id} for no key update`,
        instead: `select * from moderation_cases where id = \${id}`,
      },
    ],
    finds: /two writes were acknowledged at one version|left the version where it was|the service answered 500/,
  },
  {
    name: 'without hiding what a case removes',
    changes: [
      {
        file: 'server/src/modules/staff/decisions.ts',
        text: "if (is === 'removed') await hide(tx, kind, id)",
        instead: '',
      },
    ],
    finds:
      /an endpoint answers 200|a list of what everyone sees|the feed has not|is not what its moves make it|both sides filed|has reviews/,
  },
  {
    name: 'without the event to subscribers of feedback',
    changes: [
      {
        file: 'server/src/modules/feedback/answers.ts',
        text: 'to: listeners.map(({ agent_id }) => agent_id),',
        instead: 'to: [],',
      },
    ],
    finds: /an event never came/,
  },
  {
    name: 'with votes that count each time',
    changes: [
      { file: 'server/src/modules/feedback/votes.ts', text: '      where not feedback_votes.is_active\n', instead: '' },
    ],
    finds: /the votes of an idea are not/,
  },
  {
    name: 'with a code that starts several sessions',
    changes: [
      { file: 'server/src/modules/humans/sessions.ts', text: '  await markUsed(tx, challengeId)\n', instead: '' },
    ],
    finds: /one code began two sessions/,
  },
  {
    name: 'with a grant for each account of an email',
    changes: [{ file: 'server/src/modules/humans/sessions.ts', text: 'isGranted.length > 0', instead: 'true' }],
    finds: /a wallet moved otherwise|the service itself finds something wrong/,
    // Whoever left is sent another code after a minute.
    seconds: 110,
  },
  {
    name: 'without the email that a person needs',
    changes: [
      {
        file: 'server/src/modules/orders/orders.ts',
        text: `values (\${order.id}, \${next.version}, \${kind}, \${tx.now})\n    )`,
        instead: `select \${order.id}, \${next.version}, \${kind}, \${tx.now} where false\n    )`,
      },
    ],
    finds: /a person was never written to|the service itself finds something wrong/,
  },
]
