import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const web = '/projects/acme%2Fweb'

const createLabel = (name: string, priority: number) =>
  forge.as('alice').labels.create({ project, name, color: '#428BCA', description: `Of **${name}**`, priority })

const createMilestone = (title: string, dueDate: string) =>
  forge.as('alice').milestones.create({ project, title, dueDate })

/** Four items: with everything first, with everything last, with a label only, and with nothing. */
const createItems = async (create: (title: string, values: object) => Promise<number>) => {
  await createLabel('pressing', 0)
  await createLabel('later', 5)
  const { id: soon } = await createMilestone('soon', '2027-01-01')
  const { id: late } = await createMilestone('late', '2027-06-01')
  const first = await create('first', { labels: ['later', 'pressing'], milestone: soon })
  const second = await create('second', { labels: ['later'], milestone: late })
  await create('labelled', { labels: ['pressing'] })
  await create('bare', {})
  return { first, second }
}

const createIssues = () =>
  createItems(async (title, values) => {
    const dueDate = { first: '2027-01-02', second: '2027-01-03' }[title]
    const { iid } = await forge.as('alice').issues.create({ project, title, ...values, ...(dueDate && { dueDate }) })
    return iid
  })

const createMergeRequests = () =>
  createItems(async (title, values) => {
    const { iid } = await forge.as('alice').mergeRequests.create({ project, title, sourceBranch: title, ...values })
    return iid
  })

const created = ['first', 'second', 'labelled', 'bare']

/** The titles of a list, without those of the demo world. */
const titles = async (path: string) =>
  (await send(`GET ${path}`)).body
    .map(({ title }: { title: string }) => title)
    .filter((title: string) => created.includes(title))

const lists = [
  { kind: 'issues', create: createIssues },
  { kind: 'merge_requests', create: createMergeRequests },
] as const

describe('the weight of issues', () => {
  const weights = { none: undefined, zero: 0, three: 3, five: 5 }
  const prepare = async () => {
    for (const [title, weight] of Object.entries(weights))
      await send(`POST ${web}/issues`, { as: 'alice', json: { title, weight } })
  }
  const names = async (path: string, as?: string) =>
    (await send(`GET ${path}`, as ? { as } : {})).body
      .map(({ title }: { title: string }) => title)
      .filter((title: string) => title in weights)

  test('is returned, changed and removed', async () => {
    await prepare()
    const { body } = await send(`GET ${web}/issues?weight=3`)
    expect(body).toMatchObject([{ title: 'three', weight: 3 }])
    const issue = `${web}/issues/${body[0].iid}`
    expect((await send(`PUT ${issue}`, { as: 'alice', json: { weight: 8 } })).body.weight).toBe(8)
    expect((await send(`PUT ${issue}?weight=`, { as: 'alice' })).body.weight).toBeNull()
    for (const weight of [-1, 1.5, 2 ** 31, 'heavy'])
      expect(await send(`PUT ${issue}`, { as: 'alice', json: { weight } })).toMatchObject({ status: 400 })
  })

  test.each([`${web}/issues`, '/groups/acme/issues', '/issues'])('filters and sorts %s', async (path) => {
    await prepare()
    const list = (query: string) => names(`${path}?scope=all&${query}`, 'alice')
    expect(await list('weight=0')).toEqual(['zero'])
    expect(await list('weight=4')).toEqual([])
    expect(await list('weight=None')).toEqual(['none'])
    expect(await list('weight=any')).toEqual(['five', 'three', 'zero'])
    expect(await list('not[weight]=3')).toEqual(['five', 'zero', 'none'])
    expect(await list('not[weight]=None&sort=asc')).toEqual(['zero', 'three', 'five'])
    expect(await list('order_by=weight&sort=asc')).toEqual(['zero', 'three', 'five', 'none'])
    expect(await list('order_by=weight')).toEqual(['five', 'three', 'zero', 'none'])
    for (const query of ['weight=heavy', 'weight=1.5', 'not[weight]=heavy'])
      expect(await send(`GET ${path}?${query}`, { as: 'alice' })).toMatchObject({ status: 400 })
    const statistics = await send(`GET ${path.replace(/issues$/, 'issues_statistics')}?scope=all&weight=any`, {
      as: 'alice',
    })
    expect(statistics.body.statistics.counts.all).toBe(3)
  })

  test('of confidential issues is not told to those who cannot read them', async () => {
    await send(`POST ${web}/issues`, { as: 'alice', json: { title: 'three', weight: 3, confidential: true } })
    expect(await names(`${web}/issues?weight=3`, 'alice')).toEqual(['three'])
    expect(await names(`${web}/issues?weight=3`)).toEqual([])
    expect(await names(`${web}/issues?weight=3`, 'mallory')).toEqual([])
  })
})

describe.each(lists)('lists of $kind', ({ kind, create }) => {
  test('are sorted by values of the milestone, the labels and the reactions, with missing values last', async () => {
    const { first, second } = await create()
    const like = (iid: number, as: string) => send(`POST ${web}/${kind}/${iid}/award_emoji?name=thumbsup`, { as })
    for (const user of ['bob', 'carol']) await like(second, user)
    await like(first, 'carol')
    const sorted = (orderBy: string, sort: string) => titles(`${web}/${kind}?order_by=${orderBy}&sort=${sort}`)
    expect(await sorted('milestone_due', 'asc')).toEqual(['first', 'second', 'labelled', 'bare'])
    expect(await sorted('milestone_due', 'desc')).toEqual(['second', 'first', 'bare', 'labelled'])
    expect(await sorted('label_priority', 'asc')).toEqual(['first', 'labelled', 'second', 'bare'])
    expect(await sorted('label_priority', 'desc')).toEqual(['second', 'labelled', 'first', 'bare'])
    expect(await sorted('priority', 'asc')).toEqual(['first', 'second', 'labelled', 'bare'])
    expect(await sorted('popularity', 'desc')).toEqual(['second', 'first', 'bare', 'labelled'])
    expect(await sorted('popularity', 'asc')).toEqual(['labelled', 'bare', 'first', 'second'])
    expect(await send(`GET ${web}/${kind}?order_by=color`)).toMatchObject({ status: 400 })
  })

  test('have the labels as objects on request', async () => {
    await create()
    const { body } = await send(`GET ${web}/${kind}?with_labels_details=true&order_by=title&search=first`)
    expect(body[0]?.labels).toEqual(
      ['later', 'pressing'].map((name) => ({
        id: expect.any(Number),
        name,
        color: '#428BCA',
        text_color: '#FFFFFF',
        description: `Of **${name}**`,
        description_html: `Of <strong>${name}</strong>`,
      })),
    )
    expect(await titles(`${web}/${kind}?with_labels_details=true`)).toHaveLength(4)
    const plain = await send(`GET ${web}/${kind}?search=first`)
    expect(plain.body[0].labels).toEqual(['later', 'pressing'])
  })
})

test('issues are sorted by their due date', async () => {
  await createIssues()
  expect(await titles(`${web}/issues?order_by=due_date&sort=desc`)).toEqual(['second', 'first', 'bare', 'labelled'])
  expect(await titles(`${web}/issues?order_by=due_date&sort=asc`)).toEqual(['first', 'second', 'labelled', 'bare'])
  for (const orderBy of ['relative_position', 'weight']) {
    expect(await titles(`${web}/issues?order_by=${orderBy}&sort=asc`)).toEqual(created)
  }
})

test('merge requests are filtered by who approved and who merged them', async () => {
  const { first, second } = await createMergeRequests()
  await forge.as('bob').mergeRequestApprovals.approve({ project, mergeRequest: first })
  await forge.as('bob').mergeRequests.merge({ project, mergeRequest: second })
  const { id } = await forge.host.users.get({ user: 'bob' })
  const list = (filters: string) => titles(`${web}/merge_requests?sort=asc&${filters}`)
  expect(await list('approved=yes')).toEqual(['first'])
  expect(await list('approved=no')).toEqual(['second', 'labelled', 'bare'])
  expect(await list('approved_by_usernames[]=BOB')).toEqual(['first'])
  expect(await list('approved_by_usernames[]=bob&approved_by_usernames[]=carol')).toEqual([])
  expect(await list(`merge_user_id=${id}`)).toEqual(['second'])
  expect(await list('merge_user_username=Bob')).toEqual(['second'])
  expect(await list('merge_user_username=nobody')).toEqual([])
  expect(await list('state=merged&order_by=merged_at')).toEqual(['second'])
  expect(await send(`GET ${web}/merge_requests?merge_user_id=1&merge_user_username=bob`)).toMatchObject({ status: 400 })
})

test('a simple view of merge requests has only the identifying fields', async () => {
  await createMergeRequests()
  const { body } = await send(`GET ${web}/merge_requests?view=simple&with_merge_status_recheck=true`)
  expect(Object.keys(body[0]).sort()).toEqual([
    'created_at',
    'description',
    'id',
    'iid',
    'project_id',
    'state',
    'title',
    'updated_at',
    'web_url',
  ])
  expect(await send(`GET ${web}/merge_requests?view=full`)).toMatchObject({ status: 400 })
})

test.each([
  ['issues', '#'],
  ['merge_requests', '!'],
])('references of %s are relative to the place of the list', async (kind, sign) => {
  const read = async (path: string) => (await send(`GET ${path}`, { as: 'root' })).body.at(-1).references
  const [short, full] = [`${sign}1`, `acme/web${sign}1`]
  expect(await read(`${web}/${kind}`)).toEqual({ short, relative: short, full })
  expect(await read(`/groups/acme/${kind}`)).toEqual({ short, relative: `web${sign}1`, full })
  expect(await read(`/${kind}?scope=all`)).toEqual({ short, relative: full, full })
  expect((await send(`GET ${web}/${kind}/1`)).body.references.relative).toBe(short)
  await forge.seed({ groups: [{ path: 'top', visibility: 'public' }] })
  await forge.host.groups.transfer({ group: 'acme', parent: 'top' })
  expect((await read(`/groups/top/${kind}`)).relative).toBe(`top/acme/web${sign}1`)
})
