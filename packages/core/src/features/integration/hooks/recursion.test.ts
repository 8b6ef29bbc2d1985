import type { FakeForge, HookReceiver } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

const project = 'acme/web'
const url = 'https://bot.example.com/events'

let forge: FakeForge
let receive: HookReceiver
beforeEach(async () => {
  receive = () => undefined
  forge = await world({ hooks: (request) => receive(request), time: '2026-01-01T00:00:30Z' })
})
afterEach(() => forge.close())

const addHook = async (input: object = {}) =>
  (await forge.host.hooks.create({ project, url, pushEvents: false, issuesEvents: true, ...input })).id

const openIssue = (title: string) => forge.as('bob').issues.create({ project, title })

const issueCount = async () => (await forge.host.issues.list({ project, perPage: 1 })).total

const call = (path: string, { headers, body }: { headers?: Record<string, string>; body?: object } = {}) =>
  forge.fetch(`${forge.url}/api/v4${path}`, {
    method: 'POST',
    headers: { 'private-token': forge.tokens.alice as string, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body ?? { title: 'Answer' }),
  })

const chainOf = (request: Request) => ({ 'x-gitlab-event-uuid': request.headers.get('x-gitlab-event-uuid') as string })

const issues = '/projects/acme%2Fweb/issues'

describe('a receiver that repeats X-Gitlab-Event-UUID', () => {
  test('does not receive the events of its own requests', async () => {
    const hook = await addHook()
    const before = await issueCount()
    receive = async (request) => void (await call(issues, { headers: chainOf(request) }))
    await openIssue('One')
    await forge.hooks.drain()
    expect(await issueCount()).toBe((before ?? 0) + 2)
    expect(forge.hooks.deliveries).toHaveLength(1)
    const [blocked] = (await forge.as('alice').hooks.listDeliveries({ project, hook })).items
    expect(blocked).toMatchObject({ responseStatus: 'blocked', responseBody: expect.stringContaining('Blocked') })
    // Others see the event as usual.
    await openIssue('Two')
    expect((await forge.hooks.waitFor({ where: ({ body }) => body.object_attributes.title === 'Two' })).status).toBe(
      200,
    )
  })

  test('blocks nothing for other hooks of the event, which receive both kinds of events of one request', async () => {
    await addHook()
    const other = 'https://other.example.com/'
    await addHook({ url: other, noteEvents: true })
    receive = async (request) => {
      if (request.url !== url) return
      const title = 'Answer'
      await call(issues, { headers: chainOf(request), body: { title } })
      await call(`${issues}/1/notes`, { headers: chainOf(request), body: { body: 'Answer' } })
    }
    await openIssue('One')
    await forge.hooks.drain()
    expect(forge.hooks.deliveries.filter(({ url }) => url === other).map(({ event }) => event)).toEqual([
      'issue',
      'issue',
    ])
  })

  test('reaches no second round through another hook', async () => {
    const { id: second } = await forge.host.hooks.create({ group: 'acme', url: 'https://b.example/', noteEvents: true })
    await addHook({ pushEvents: false })
    receive = async (request) => {
      const isFirst = request.url === url
      await call(isFirst ? `${issues}/1/notes` : issues, { headers: chainOf(request), body: { title: 'x', body: 'x' } })
    }
    await openIssue('One')
    await forge.hooks.drain()
    expect(forge.hooks.deliveries.map(({ url }) => url)).toEqual([url, 'https://b.example/'])
    expect(new Set(forge.hooks.deliveries.map(({ headers }) => headers['x-gitlab-event-uuid'])).size).toBe(1)
    expect((await forge.host.hooks.listDeliveries({ group: 'acme', hook: second })).items).toHaveLength(1)
  })

  test('is not sent the tests and repetitions that it asks for', async () => {
    const hook = await addHook()
    const answers: number[] = []
    receive = async (request) => {
      const headers = chainOf(request)
      const path = `/projects/acme%2Fweb/hooks/${hook}`
      answers.push((await call(`${path}/test/issues_events`, { headers })).status)
    }
    await openIssue('One')
    await forge.hooks.drain()
    expect(answers).toEqual([422])
  })
})

describe('a receiver that answers each event with a request', () => {
  test('is limited per minute, and disabled after ten such minutes', async () => {
    const hook = await addHook()
    const before = (await issueCount()) ?? 0
    receive = async () => void (await openIssue('Answer'))
    await openIssue('One')
    await forge.platform.jobs.drain()
    expect(forge.hooks.deliveries).toHaveLength(500)
    expect((await issueCount()) ?? 0).toBe(before + 501)
    expect(await forge.host.hooks.get({ project, hook })).toMatchObject({
      alertStatus: 'temporarily_disabled',
      disabledUntil: '2026-01-01T00:01:00.000Z',
    })
    // A change of the hook does not start a new minute.
    await forge.as('alice').hooks.update({ project, hook, noteEvents: true })
    await forge.platform.jobs.drain()
    expect(forge.hooks.deliveries).toHaveLength(500)
  })
})

describe('the hooks of a top-level namespace', () => {
  const receivers = ['https://a.example/', 'https://b.example/']
  const countOf = (wanted: string) => forge.hooks.deliveries.filter(({ url }) => url === wanted).length

  test('share a limit per minute, which hooks of others do not reach', async () => {
    await using free = await world({
      tier: 'free',
      time: '2026-01-01T00:00:30Z',
      hooks: () => undefined,
    })
    forge = free
    const { id: first } = await free.host.hooks.create({ project, url: receivers[0] as string, issuesEvents: true })
    const tools = 'acme/tools/deploy'
    const { id: second } = await free.host.hooks.create({
      project: tools,
      url: receivers[1] as string,
      issuesEvents: true,
    })
    const { id: own } = await free.as('bob').projects.create({ name: 'own' })
    await free.host.hooks.create({ project: own, url, issuesEvents: true })
    const open = async (where: string | number, count: number) => {
      for (let number = 0; number < count; number++) {
        await free.host.issues.create({
          project: where,
          title: `Issue ${number}`,
          author: where === own ? 'bob' : 'alice',
        })
      }
    }
    await open(project, 300)
    await free.platform.jobs.drain()
    await open(tools, 300)
    await open(own, 10)
    await free.platform.jobs.drain()
    expect([...receivers, url].map(countOf)).toEqual([300, 200, 10])
    const paused = { alertStatus: 'temporarily_disabled', disabledUntil: '2026-01-01T00:01:00.000Z' }
    expect(await free.host.hooks.get({ project: tools, hook: second })).toMatchObject(paused)
    const test = free.host.hooks.test({ project, hook: first, trigger: 'issues_events' })
    await expect(test).rejects.toMatchObject({ code: 'limited', retryAfter: 30 })
    await free.clock.advance({ minutes: 1 })
    await free.platform.jobs.drain()
    expect([...receivers, url].map(countOf)).toEqual([300, 300, 10])
    expect(await free.host.hooks.get({ project: tools, hook: second })).toMatchObject({ alertStatus: 'executable' })
  })
})
