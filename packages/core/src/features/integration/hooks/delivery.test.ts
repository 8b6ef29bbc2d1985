import type { FakeForge, HookReceiver } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/sqlite-world.ts'

const project = 'acme/web'
const url = 'https://bot.example.com/events'
const otherUrl = 'https://other.example.com/events'

let forge: FakeForge
let receive: HookReceiver
beforeEach(async () => {
  receive = () => undefined
  forge = await world({ hooks: (request) => receive(request), time: '2026-01-01T00:00:00Z' })
})
afterEach(() => forge.close())

const addHook = async (input: object = {}) =>
  (await forge.host.hooks.create({ project, url, pushEvents: false, issuesEvents: true, ...input })).id

const openIssue = (title: string) => forge.as('bob').issues.create({ project, title })

const titlesOf = (requests = forge.hooks.deliveries) =>
  requests.map(({ body }) => body.object_attributes.title as string)

const titleOf = async (request: Request) => (await request.json()).object_attributes.title

const stateOf = async (hook: number) => forge.host.hooks.get({ project, hook })

test('an event is sent after the commit, with the documented headers', async () => {
  await addHook({ token: 'hushtoken', customHeaders: [{ key: 'X-Bot', value: '7' }] })
  await openIssue('One')
  expect(forge.hooks.deliveries).toEqual([])
  expect(await forge.hooks.waitFor({ event: 'issue' })).toMatchObject({
    url,
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-gitlab-event': 'Issue Hook',
      'x-gitlab-token': 'hushtoken',
      'x-gitlab-event-uuid': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-gitlab-webhook-uuid': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-bot': '7',
    },
  })
  expect(await forge.hooks.drain()).toBe(0)
})

test('an event that is rolled back is not sent', async () => {
  await addHook()
  const failed = forge.platform.atomic(async (platform) => {
    await platform.as({ user: 'bob' }).issues.create({ project, title: 'One' })
    throw new Error('Rolled back')
  })
  await expect(failed).rejects.toThrow('Rolled back')
  await forge.hooks.drain()
  expect(forge.hooks.deliveries).toEqual([])
})

test('all hooks that receive an event get it once, and others do not', async () => {
  await addHook()
  await addHook({ url: otherUrl })
  await addHook({ issuesEvents: false, noteEvents: true })
  await forge.host.hooks.create({ group: 'acme', url: 'https://group.example.com/', issuesEvents: true })
  await forge.host.hooks.create({ group: 'acme/tools', url: 'https://below.example.com/', issuesEvents: true })
  await forge.host.hooks.create({ url: 'https://system.example.com/' })
  await openIssue('One')
  await forge.hooks.drain()
  const urls = forge.hooks.deliveries.map(({ url }) => url).sort()
  expect(urls).toEqual([url, 'https://group.example.com/', otherUrl])
  expect(new Set(forge.hooks.deliveries.map(({ headers }) => headers['x-gitlab-event-uuid'])).size).toBe(3)
  expect(new Set(forge.hooks.deliveries.map(({ headers }) => headers['idempotency-key'])).size).toBe(3)
})

test('a failed request is repeated with the same key, before later events', async () => {
  await addHook()
  receive = () => new Response('busy', { status: 503 })
  await openIssue('One')
  await openIssue('Two')
  await forge.hooks.drain()
  expect(titlesOf()).toEqual(['One'])
  receive = () => undefined
  await forge.hooks.drain()
  expect(titlesOf()).toEqual(['One'])
  await forge.clock.advance({ seconds: 2 })
  await forge.hooks.drain()
  expect(titlesOf()).toEqual(['One', 'One', 'Two'])
  const [first, second, third] = forge.hooks.deliveries.map(({ headers }) => headers['idempotency-key'])
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('a receiver that throws, and one that redirects', async () => {
  const hook = await addHook()
  receive = () => {
    throw new Error('Connection refused')
  }
  await openIssue('One')
  await forge.hooks.drain()
  receive = () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } })
  await forge.clock.advance({ seconds: 2 })
  await forge.hooks.drain()
  expect(forge.hooks.deliveries.map(({ status }) => status)).toEqual([undefined, 302])
  // A redirect is an answer: it is not followed and not repeated.
  await forge.clock.advance({ hours: 1 })
  expect(forge.hooks.deliveries).toHaveLength(2)
  expect((await stateOf(hook)).alertStatus).toBe('executable')
})

test('an answer of the 4xx range is not repeated, and counts as a failure', async () => {
  const hook = await addHook()
  receive = () => new Response('no', { status: 404 })
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await openIssue(title)
  await forge.hooks.drain()
  expect(titlesOf()).toEqual(['One', 'Two', 'Three', 'Four'])
  expect(await stateOf(hook)).toMatchObject({
    alertStatus: 'temporarily_disabled',
    disabledUntil: '2026-01-01T00:01:00.000Z',
  })
  receive = () => undefined
  await forge.clock.advance({ minutes: 1 })
  await forge.hooks.drain()
  expect(titlesOf().at(-1)).toBe('Five')
  expect(await stateOf(hook)).toMatchObject({ alertStatus: 'executable', disabledUntil: null })
})

test('after 40 failures a hook is disabled until it is changed', async () => {
  const hook = await addHook()
  receive = () => new Response('no', { status: 500 })
  for (let count = 0; count < 5; count++) await openIssue(`${count}`)
  for (let day = 0; day < 60; day++) {
    await forge.clock.advance({ days: 1 })
    await forge.hooks.drain()
    if (day % 3 === 0) await openIssue(`Day ${day}`)
  }
  expect(await stateOf(hook)).toMatchObject({ alertStatus: 'disabled', disabledUntil: null })
  expect(forge.hooks.deliveries).toHaveLength(40)
  await openIssue('Not sent')
  receive = () => undefined
  expect(await forge.host.hooks.update({ project, hook })).toMatchObject({ alertStatus: 'executable' })
  await openIssue('Sent')
  await forge.hooks.drain()
  expect(titlesOf().slice(40)).toEqual(['Sent'])
})

test('an event that always fails is given up after ten attempts', async () => {
  await addHook()
  receive = async (request) => {
    const { object_attributes: issue } = await request.json()
    return new Response(null, { status: issue.title === 'Bad' ? 500 : 200 })
  }
  await openIssue('Bad')
  await openIssue('Good')
  for (let hour = 0; hour < 24; hour++) {
    await forge.clock.advance({ hours: 1 })
    await forge.hooks.drain()
  }
  expect(titlesOf()).toEqual([...Array<string>(10).fill('Bad'), 'Good'])
})

test('a slow receiver does not delay others', async () => {
  await addHook({ url: otherUrl })
  await addHook()
  const { promise, resolve } = Promise.withResolvers<void>()
  const fast: string[] = []
  receive = async (request) => {
    if (request.url === otherUrl) return promise
    fast.push(request.url)
    if (fast.length === 3) resolve()
  }
  for (const title of ['One', 'Two', 'Three']) await openIssue(title)
  await forge.hooks.drain()
  expect(titlesOf(forge.hooks.deliveries.filter((request) => request.url === otherUrl))).toEqual([
    'One',
    'Two',
    'Three',
  ])
})

test('nothing is sent after the removal of the hook, its project or its group', async () => {
  const hook = await addHook()
  await forge.host.hooks.create({ group: 'acme', url: otherUrl, issuesEvents: true })
  await openIssue('One')
  await forge.host.hooks.remove({ project, hook })
  await forge.host.groups.remove({ group: 'acme' })
  await forge.hooks.drain()
  expect(forge.hooks.deliveries).toEqual([])
})

test('nothing is sent after the removal of the hook between two deliveries', async () => {
  const hook = await addHook()
  receive = async () => void (await forge.host.hooks.remove({ project, hook }))
  await openIssue('One')
  await openIssue('Two')
  await forge.hooks.drain()
  expect(titlesOf()).toEqual(['One'])
})

test('accepted deliveries are not repeated when a later one fails', async () => {
  await addHook()
  receive = async (request) => new Response(null, { status: (await titleOf(request)) === 'Two' ? 503 : 200 })
  await openIssue('One')
  await openIssue('Two')
  await forge.hooks.drain()
  receive = () => undefined
  await forge.clock.advance({ seconds: 2 })
  await forge.hooks.drain()
  expect(titlesOf()).toEqual(['One', 'Two', 'Two'])
})

test('accepted deliveries are not repeated when jobs are stopped during a later one', async () => {
  await addHook()
  const started = Promise.withResolvers<void>()
  receive = async (request) => {
    if ((await titleOf(request)) === 'One') return undefined
    started.resolve()
    return new Promise((_, reject) => request.signal.addEventListener('abort', reject))
  }
  await openIssue('One')
  await openIssue('Two')
  const stop = forge.platform.jobs.start({ interval: 10 })
  await started.promise
  await stop()
  receive = () => undefined
  await forge.hooks.drain()
  expect(titlesOf()).toEqual(['One', 'Two', 'Two'])
})

test('the address is checked again before each request', async () => {
  let addresses = ['203.0.113.7']
  await using forge = await world({ ports: { dns: { addresses: async () => addresses, textRecords: async () => [] } } })
  await forge.as('alice').hooks.create({ project, url, issuesEvents: true })
  addresses = ['127.0.0.1']
  await forge.as('bob').issues.create({ project, title: 'One' })
  await forge.hooks.drain()
  expect(forge.hooks.deliveries).toEqual([])
})

test('deliveries are removed after seven days', async () => {
  await addHook()
  receive = () => new Response(null, { status: 500 })
  await openIssue('One')
  await forge.hooks.drain()
  await forge.clock.advance({ days: 9 })
  await forge.hooks.drain()
  forge.hooks.clear()
  receive = () => undefined
  await forge.clock.advance({ days: 2 })
  await forge.hooks.drain()
  expect(forge.hooks.deliveries).toEqual([])
})

const secretHook = { token: 'hushtoken', customHeaders: [{ key: 'X-Bot', value: 'hushvalue' }] }
const secretsOf = ({ headers }: { headers: Readonly<Record<string, string>> }) => [
  headers['x-gitlab-token'],
  headers['x-bot'],
  headers.authorization,
]

test.each([
  ['host', otherUrl],
  ['path', `${url}/2`],
  ['query', `${url}?a=1`],
  ['port', 'https://bot.example.com:8443/events'],
  ['scheme', 'http://bot.example.com/events'],
])('another %s receives no secret of the former address', async (_, moved) => {
  const url = 'https://robot:hush@bot.example.com/events'
  const hook = await addHook({ url, ...secretHook })
  const { customHeaders } = await forge.as('alice').hooks.update({ project, hook, url: moved, pushEvents: true })
  expect(customHeaders).toEqual([])
  await openIssue('One')
  expect(secretsOf(await forge.hooks.waitFor({ event: 'issue' }))).toEqual([undefined, undefined, undefined])
})

test('the address with other credentials receives no token and no custom headers', async () => {
  const hook = await addHook({ url: 'https://robot:hush@bot.example.com/events', ...secretHook })
  await forge.as('alice').hooks.update({ project, hook, url: 'https://spy:x@bot.example.com/events' })
  await openIssue('One')
  const basic = `Basic ${Buffer.from('spy:x').toString('base64')}`
  expect(secretsOf(await forge.hooks.waitFor({ event: 'issue' }))).toEqual([undefined, undefined, basic])
})

test('the same address keeps the secrets, and those sent with a new address are stored', async () => {
  const hook = await addHook(secretHook)
  await forge.as('alice').hooks.update({ project, hook, url, noteEvents: true })
  await openIssue('One')
  expect(secretsOf(await forge.hooks.waitFor({ event: 'issue' })).slice(0, 2)).toEqual(['hushtoken', 'hushvalue'])
  await forge.as('alice').hooks.update({ project, hook, url: otherUrl, token: 'newtoken' })
  await openIssue('Two')
  const second = await forge.hooks.waitFor({ event: 'issue', url: otherUrl })
  expect(secretsOf(second).slice(0, 2)).toEqual(['newtoken', undefined])
})

test.each(['group', 'system'] as const)('a %s hook with a new address loses its secrets', async (kind) => {
  const { hooks } = forge.host
  if (kind === 'group') {
    const { id: hook } = await hooks.create({ group: 'acme', url, issuesEvents: true, ...secretHook })
    await hooks.update({ group: 'acme', hook, url: otherUrl })
    await openIssue('One')
  } else {
    const { id: hook } = await hooks.create({ url, ...secretHook })
    await hooks.update({ hook, url: otherUrl })
    await forge.host.projects.create({ namespace: 'acme', path: 'moved', name: 'Moved' })
  }
  expect(secretsOf(await forge.hooks.waitFor({ url: otherUrl }))).toEqual([undefined, undefined, undefined])
})
