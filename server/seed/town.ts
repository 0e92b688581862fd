// Who lives in the town that npm run seed founds, and what they make. Content alone: seed.ts says how it comes to be.
import type { NewArticle, NewProfile, NewService, NewTask } from '@kith/sdk/node'
import { chart, face, lighthouse, shelf } from '../../demo/pictures.ts'

export interface Resident {
  handle: string
  profile: NewProfile
  face: string
  works: { title: string; text: string; picture: string }[]
  services: NewService[]
  /** Their deadlines, in days from now, are set when they are put on the board. */
  tasks: Omit<NewTask, 'deadline'>[]
  articles: Pick<NewArticle, 'title' | 'summary' | 'body' | 'language'>[]
}

const nothing = { works: [], services: [], tasks: [], articles: [] } satisfies Partial<Resident>

const service = (
  title: string,
  description: string,
  delivery_description: string,
  [amount_minor, unit_label]: [number, string],
  more: Partial<NewService> = {},
): NewService => ({
  title,
  description,
  delivery_description,
  price: { mode: 'fixed', amount_minor, unit_label },
  ...more,
})

export const residents: readonly Resident[] = [
  {
    ...nothing,
    handle: 'mara',
    profile: {
      display_name: 'Mara Lund',
      specialty: 'illustration, posters, book covers',
      bio: 'I draw places by the sea with few shapes and fewer colours.',
      city: 'Bergen',
      country: 'Norway',
      preferred_language: 'en',
    },
    face: face(18),
    works: [
      {
        title: 'Lighthouse, morning',
        text: 'The first of a pair. I kept the rock heavy and everything above it light.',
        picture: lighthouse(),
      },
      {
        title: 'Lighthouse, night',
        text: 'The second of the pair: the same place, drawn from where the beam ends.',
        picture: lighthouse(true),
      },
    ],
    services: [
      service(
        'A picture of your place',
        'Send me a photo or a few words; I draw it in my style.',
        'One PNG, 2000 × 1500.',
        [4000, 'picture'],
      ),
    ],
  },
  {
    ...nothing,
    handle: 'otto',
    profile: {
      display_name: 'Otto Brandt',
      specialty: 'sea charts, wrecks, depths',
      bio: 'I turn survey data into charts that people can read.',
      city: 'Kiel',
      country: 'Germany',
      preferred_language: 'en',
    },
    face: face(150),
    works: [
      {
        title: 'Chart of a wreck site',
        text: 'Five depth lines, one cross. The tide runs below a knot here, so divers have about an hour.',
        picture: chart(195),
      },
    ],
    services: [
      service(
        'Chart of a dive site',
        'Depths, currents and obstacles from public surveys.',
        'A chart as PNG, with its sources.',
        [6000, 'site'],
        {
          tags: ['chart', 'sea'],
          input_schema: {
            version: 1,
            fields: [
              { key: 'position', type: 'short_text', label: 'Where is it?', required: true },
              { key: 'depth', type: 'integer', label: 'How deep, in metres?', min: 0, max: 11_000, required: true },
            ],
          },
        },
      ),
    ],
  },
  {
    ...nothing,
    handle: 'noor',
    profile: {
      display_name: 'Noor Haddad',
      specialty: 'editing, essays, plain language',
      bio: 'I cut texts until every sentence is read once.',
      preferred_language: 'en',
    },
    face: face(275),
    works: [
      {
        title: 'Twelve books on plain words',
        text: 'What I read this winter, shortest first. The last one taught me to delete adverbs.',
        picture: shelf(10),
      },
    ],
    services: [
      service('A page, edited', 'I shorten, order and check one page.', 'The page with every change marked.', [
        1000,
        'page',
      ]),
    ],
    articles: [
      {
        title: 'How to brief an agent',
        summary: 'Say what you want, what you have, and when it is done.',
        body: `A good brief fits on one page. It answers three questions.

1. What do you want? Name the result, not the way to it: "a chart that a diver can read", not "some analysis".
2. What do you have? List the files, and say which of them is right where two disagree.
3. When is it done? Say:

- who looks at the result
- what they compare it with
- what happens if it is late`,
        language: 'en',
      },
    ],
  },
  {
    ...nothing,
    handle: 'lena',
    profile: {
      display_name: 'Лена Орлова',
      specialty: 'перевод, translation between Russian and English',
      bio: 'Перевожу инструкции и письма. Пишу так, чтобы не перечитывали.',
      preferred_language: 'ru',
    },
    face: face(330),
    services: [
      service('Перевод страницы', 'С русского на английский или обратно.', 'Текст и список спорных мест.', [
        1500,
        'страница',
      ]),
    ],
    articles: [
      {
        title: 'Как проверить перевод, не зная языка',
        summary: 'Три приёма, для которых хватит внимания.',
        body: 'Сравните числа и имена: они не переводятся. Сосчитайте абзацы. Переведите обратно одну фразу и прочтите её вслух.',
        language: 'ru',
      },
    ],
  },
  {
    ...nothing,
    handle: 'ivo',
    profile: {
      display_name: 'Ivo Marek',
      specialty: 'archives, provenance, old documents',
      bio: 'I find out whose it was.',
      city: 'Brno',
      country: 'Czechia',
      preferred_language: 'en',
    },
    face: face(60),
    tasks: [
      {
        title: 'Find the owner of a ship’s bell',
        description: 'Bronze, marked 1781, raised near 54.1 N 7.9 E. I need a name and one source.',
        budget_minor: 6000,
        tags: ['archive', 'sea'],
      },
      {
        title: 'Read four pages of old handwriting',
        description: 'German, about 1820, good scans. A transcript is enough; no translation.',
        budget_minor: 4000,
        tags: ['archive'],
      },
    ],
  },
]

/** Who works for whom, and what the customer says of it afterwards. */
export const orders = [
  {
    customer: 'noor',
    contractor: 'mara',
    title: 'A cover for twelve essays',
    amount_minor: 4500,
    result: 'The cover is a shelf with one gap. Use it in any size above 400 px.',
    review: 'Exactly the gap that I wanted. On time.',
  },
  {
    customer: 'mara',
    contractor: 'otto',
    title: 'Depths around a lighthouse',
    amount_minor: 6000,
    result: 'Sandy ground, 38 m; rocks on the north side. I would not draw it shallower.',
    review: 'I can draw from this. Sources included.',
  },
] as const

/** Who bids for the first task of ivo's. */
export const bids = [
  { bidder: 'otto', amount_minor: 5500, text: 'I know the yards of that coast, and have two of their ledgers.' },
  { bidder: 'noor', amount_minor: 4500, text: 'I can read the port books; I need a week.' },
] as const
