import { createPlatform, type Platform, type Session, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Everything that runs, its values written into the text. */
const ran: string[] = []
let file: Database.Database
let platform: Platform
beforeAll(async () => {
  file = new Database(':memory:', { verbose: (text) => void ran.push(String(text)) })
  platform = createPlatform(sqlite(file))
  await seed(platform, demo)
  const bob = platform.as({ user: 'bob' })
  for (const body of ['first', 'second', 'third']) await bob.notes.create({ project, issue: 1, body })
  for (const issue of [1, 2]) await bob.todos.create({ project, issue })
  for (const name of ['one', 'two']) await bob.labels.create({ project, name, color: 'red' })
  for (const title of ['one', 'two']) await bob.issues.create({ project, title, weight: 2 })
  const jobs = [{ name: 'build' }, { name: 'test' }]
  for (const sha of ['a', 'b']) {
    const commit = { project, ref: 'main', sha: sha.repeat(40) }
    await platform.as({ system: 'test' }).pipelines.record({ ...commit, jobs })
  }
  for (const packageVersion of ['1', '2']) {
    const file = { packageName: 'tool', packageVersion, fileName: 'a', content: new Uint8Array() }
    await bob.packages.publishGeneric({ project, ...file })
  }
  // More than a page can hold: those of the groups above are read in order, too, and not sorted.
  const host = platform.as({ system: 'test' })
  for (const parent of [{ project }, { group: 'acme' }] as const)
    for (const name of ['one', 'two']) {
      await host.accessTokens.create({ ...parent, name, scopes: ['api'] })
      await host.deployTokens.create({ ...parent, name, scopes: ['read_repository'] })
    }
  for (let at = 0; at <= 100; at++) await host.labels.create({ group: 'acme', name: `above ${at}`, color: 'red' })
})
afterAll(async () => {
  await platform.close()
  file.close()
})

interface Step {
  readonly id: number
  /** 0 for a step of the query itself. */
  readonly parent: number
  readonly detail: string
}

/** How SQLite goes about a query, from the outside in. */
const planOf = (text: string) => file.prepare(`explain query plan ${text}`).all() as Step[]

const above = (plan: readonly Step[], { parent }: Step): readonly Step[] => {
  const step = plan.find(({ id }) => id === parent)
  return step ? [step, ...above(plan, step)] : []
}

/** What is no table but a part of the query itself. */
const derived =
  /^SCAN (CONSTANT ROW|json_each|counted|held|membership|page|chosen|selected|ranked|applicable|\(subquery-\d+\))/

/** Parts that are as large as what the caller holds, or as the page, and not as the list. */
const bounded = /^(MATERIALIZE|CO-ROUTINE) ranked|^LIST SUBQUERY/

const isBounded = (plan: readonly Step[], step: Step) => above(plan, step).some(({ detail }) => bounded.test(detail))

/** Steps that read or sort as many rows as there are. */
const costly = (plan: readonly Step[]) =>
  plan.filter(
    (step) =>
      (step.detail.startsWith('SCAN') && !derived.test(step.detail)) ||
      // Sorting by the last term sorts only the rows of one moment, which are few.
      (/TEMP B-TREE(?! FOR LAST TERM)/.test(step.detail) && !isBounded(plan, step)),
  )

const project = 'acme/web'
const orders = ['asc', 'desc'] as const

type Ask = (session: Session, perPage: number) => Promise<{ readonly items: readonly unknown[]; hasNext: boolean }>

/** Each list with the index that it is read from. Its pages have one row, so that it is counted as well. */
const lists: readonly [string, RegExp, Ask][] = [
  ['members', /member_project/, ({ members }, perPage) => members.list({ project, perPage })],
  ['members of a group', /member_group/, ({ members }, perPage) => members.list({ group: 'acme', perPage })],
  [
    'members above',
    /member_project_user/,
    ({ members }, perPage) => members.list({ project, perPage, inherited: true }),
  ],
  [
    'members above a group',
    /member_group_user/,
    ({ members }, perPage) => members.list({ group: 'acme', perPage, inherited: true }),
  ],
  ['labels', /label_/, ({ labels }, perPage) => labels.list({ project, perPage })],
  ...([{ project }, { group: 'acme' }] as const).flatMap((parent): [string, RegExp, Ask][] => {
    const [kind] = Object.keys(parent)
    const asHost = () => platform.as({ system: 'test' })
    return [
      [
        `access tokens of a ${kind}`,
        new RegExp(`personal_access_token_${kind}_id`),
        (_, perPage) => asHost().accessTokens.list({ ...parent, perPage }),
      ],
      [
        `deploy tokens of a ${kind}`,
        new RegExp(`deploy_token_${kind}_id`),
        (_, perPage) => asHost().deployTokens.list({ ...parent, perPage }),
      ],
    ]
  }),
  ['jobs', /pipeline_job_project/, (as, perPage) => as.pipelineJobs.list({ project, perPage })],
  [
    'jobs of a pipeline',
    /pipeline_job_pipeline/,
    (as, perPage) => as.pipelineJobs.list({ project, pipeline: 1, perPage }),
  ],
  ...(['id', 'status', 'ref', 'updated_at', 'user_id'] as const).map((orderBy): [string, RegExp, Ask] => [
    `pipelines by ${orderBy}`,
    orderBy === 'id' ? /pipeline_project/ : new RegExp(`pipeline_project_${orderBy}`),
    (as, perPage) => as.pipelines.list({ project, orderBy, perPage }),
  ]),
  ...[{ ref: 'main' }, { status: 'pending' as const }, { source: 'push' as const }].map(
    (filter): [string, RegExp, Ask] => [
      `pipelines with a ${Object.keys(filter)[0]}`,
      /pipeline_project/,
      (as, perPage) => as.pipelines.list({ project, ...filter, perPage }),
    ],
  ),
  [
    'issues with a weight',
    /issue_project_(created_at|weight)/,
    ({ issues }, perPage) => issues.list({ project, weight: 2, perPage }),
  ],
  ['packages', /package_order_created_at/, ({ packages }, perPage) => packages.list({ project, perPage })],
  ['pending todos', /todo_list/, ({ todos }, perPage) => todos.list({ perPage })],
  ...orders.flatMap((sort): [string, RegExp, Ask][] => [
    [`events of a project, ${sort}`, /event_project/, (as, perPage) => as.events.list({ project, sort, perPage })],
    [`events of a user, ${sort}`, /event_author/, (as, perPage) => as.events.list({ user: 'carol', sort, perPage })],
    ...(['created_at', 'updated_at', 'relative_position'] as const).map((orderBy): [string, RegExp, Ask] => [
      `issues by ${orderBy}, ${sort}`,
      new RegExp(`issue_project_${orderBy.replace('relative_', '')}`),
      ({ issues }, perPage) => issues.list({ project, orderBy, sort, perPage }),
    ]),
    [`one’s own events, ${sort}`, /event_author/, (as, perPage) => as.events.list({ sort, perPage })],
    ...(['created_at', 'updated_at'] as const).map((orderBy): [string, RegExp, Ask] => [
      `notes by ${orderBy}, ${sort}`,
      new RegExp(`note_issue_${orderBy}`),
      ({ notes }, perPage) => notes.list({ project, issue: 1, orderBy, sort, perPage }),
    ]),
  ]),
]

describe.each(lists)('%s', (_, index, ask) => {
  test('are read from an index that is in order already, and so are counted', async () => {
    ran.length = 0
    const { items, hasNext } = await ask(platform.as({ user: 'bob' }), 1)
    expect({ count: items.length, hasNext }).toEqual({ count: 1, hasNext: true })
    const plans = ran.filter((text) => /^(select|with) /.test(text)).map((text) => ({ text, plan: planOf(text) }))
    // The total counts its rows or sums counters, and the page has an offset. They can be one query.
    const total = plans.filter(({ text }) => /select count\(\*\) as "total"|sum\("issue_count"/.test(text))
    const page = plans.filter(({ text }) => text.includes(' offset '))
    for (const found of [total, page]) {
      expect(found).toHaveLength(1)
      expect(found.flatMap(({ plan }) => costly(plan))).toEqual([])
    }
    expect(page.flatMap(({ plan }) => plan).filter(({ detail }) => index.test(detail))).not.toEqual([])
    // The queries that complete the page scan no table that grows.
    const walks = /^SCAN (event|todo|note|issue|merge_request|project|snippet|epic|member|user|label)\b/
    expect(plans.flatMap(({ plan }) => plan).filter(({ detail }) => walks.test(detail))).toEqual([])
  })
})

const tokenOrders = (['created', 'expires', 'last_used', 'name'] as const).flatMap((field) =>
  orders.map((sort) => ({ field, sort })),
)

test.each(tokenOrders)('the tokens of all users are read in the order of an index: by $field, $sort', async (order) => {
  ran.length = 0
  await platform.as({ system: 'test' }).tokens.list({ sort: `${order.field}_${order.sort}`, perPage: 1 })
  const page = ran.find((text) => text.includes(' offset ')) ?? ''
  const steps = planOf(page).map(({ detail }) => detail)
  expect(steps).toEqual([expect.stringContaining(`USING INDEX personal_access_token_${order.field}`)])
})
