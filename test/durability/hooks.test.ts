import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'
import { reportFigures } from '../figures.ts'

/** `FORGELET_KILLS=30` kills 30 servers and creates 1,020 events; `FORGELET_PROPERTY_SEED` repeats the times of the kills. */
const kills = Number(process.env.FORGELET_KILLS || 4)
const seed = Number(process.env.FORGELET_PROPERTY_SEED || Date.now() % 2 ** 32)
const eventsPerRound = 34
const writers = 2
/** The hook of every third project is removed while issues are created. */
const roundsPerRemoval = 3

let state = seed
/** Repeats its sequence for a seed. */
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** A request to the receiver. `number`: the issue's iid, or the id of the project that was created. */
interface Received {
  readonly project: string
  readonly number: number
}

/** What each hook has received, by the path of its URL, in the order of the requests. */
const received = new Map<string, Received[]>()

const startReceiver = async () => {
  const server = createServer(async (request, response) => {
    // biome-ignore lint/suspicious/noExplicitAny: the bodies of several events
    const body = (await json(request)) as any
    const path = request.url as string
    const entry =
      body.object_kind === 'issue'
        ? { project: body.project.path_with_namespace, number: body.object_attributes.iid }
        : { project: body.path_with_namespace, number: body.project_id }
    received.set(path, [...(received.get(path) ?? []), entry])
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}
let receiver: Server | undefined
afterAll(() => {
  receiver?.closeAllConnections()
  receiver?.close()
})

interface Sent {
  readonly method?: string
  readonly token?: string
  readonly body?: object
}

/** A request that was acknowledged, or undefined if the server was killed before. */
const send = async <T>(url: string, path: string, { method = 'POST', token = 'alice-token', body }: Sent = {}) => {
  try {
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  } catch (error) {
    // A broken connection; other errors are unexpected.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

interface Round {
  readonly project: string
  /** The iids of the issues whose creation was acknowledged. */
  readonly acknowledged: Set<number>
  /** Whether the hook of the project is removed while issues are created; a removal without an answer may have happened. */
  readonly removesHook: boolean
  /** Iids of issues that were created after the removal was acknowledged; undefined before. */
  createdAfterRemoval: Set<number> | undefined
}

const rounds: Round[] = []
const countEvents = () => rounds.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)

/** Creates a project with a hook, and issues until there are enough or the server is killed. */
const createEvents = async (url: string, target: string, index: number, count: number) => {
  const path = `round-${index}`
  const created = await send<{ id: number }>(url, '/projects', { body: { path, namespace_id: groupId } })
  const hook =
    created &&
    (await send<{ id: number }>(url, `/projects/${created.id}/hooks`, {
      body: { url: `${target}/${path}`, issues_events: true, push_events: false },
    }))
  if (!created || !hook) return
  const removesHook = index % roundsPerRemoval === 0
  const round: Round = {
    project: `acme/${path}`,
    acknowledged: new Set(),
    removesHook,
    createdAfterRemoval: undefined,
  }
  rounds.push(round)
  let remaining = count
  const write = async () => {
    while (remaining-- > 0) {
      const isAfterRemoval = round.createdAfterRemoval !== undefined
      const issue = await send<{ iid: number }>(url, `/projects/${created.id}/issues`, { body: { title: 'Issue' } })
      if (!issue) return
      round.acknowledged.add(issue.iid)
      if (isAfterRemoval) round.createdAfterRemoval?.add(issue.iid)
    }
  }
  const removeHook = async () => {
    await expect.poll(() => round.acknowledged.size, { timeout: 30_000, interval: 1 }).toBeGreaterThan(count / 2)
    if (await send(url, `/projects/${created.id}/hooks/${hook.id}`, { method: 'DELETE' }))
      round.createdAfterRemoval = new Set()
  }
  await Promise.all([
    ...Array.from({ length: writers }, write),
    ...(removesHook ? [removeHook().catch(() => undefined)] : []),
  ])
}
let groupId = 0

const openFile = () => new Database(join(folder, 'hooks.db'), { timeout: 10_000 })

/** Ends the leases of the killed server, as if it had been restarted a minute later. */
const expireLeases = () => {
  const file = openFile()
  file.prepare("update job set lease_until = '2026-01-01T00:00:00.000Z' where state = 'running'").run()
  file.close()
}

const query = (sql: string, ...values: unknown[]) => {
  const file = openFile()
  const rows = file.prepare(sql).pluck().all(values) as number[]
  file.close()
  return rows
}

const isOrdered = (numbers: readonly number[]) => numbers.every((number, at) => number >= (numbers[at - 1] ?? 0))

/** The received numbers of one project, which may contain repeated requests. */
const numbersOf = (path: string, project: string) =>
  (received.get(path) ?? []).filter((entry) => entry.project === project).map(({ number }) => number)

const verifyProjects = (label: string) => {
  for (const { project, acknowledged, removesHook, createdAfterRemoval } of rounds) {
    const text = `${label}: ${project}`
    const stored = query(
      'select iid from issue join project on project.id = project_id where project.full_path = ? order by iid',
      project,
    )
    expect(
      [...acknowledged].filter((iid) => !stored.includes(iid)),
      text,
    ).toEqual([])
    // The hook of the group receives all events, whether or not the project's own hook was removed.
    const ofGroup = numbersOf('/group', project)
    expect([...new Set(ofGroup)], text).toEqual(stored)
    expect(isOrdered(ofGroup), text).toBe(true)
    const ofProject = numbersOf(`/${project.slice('acme/'.length)}`, project)
    expect(isOrdered(ofProject), text).toBe(true)
    if (!removesHook) expect([...new Set(ofProject)], text).toEqual(stored)
    expect(
      ofProject.filter((iid) => createdAfterRemoval?.has(iid)),
      text,
    ).toEqual([])
  }
}

const verifySystemHook = (label: string) => {
  const stored = query("select id from project where full_path like 'acme/round-%' order by id")
  const ids = (received.get('/system') ?? []).map(({ number }) => number)
  expect([...new Set(ids)], label).toEqual(stored)
  expect(isOrdered(ids), label).toBe(true)
}

it(
  'delivers every event at least once and in order to each hook when the server is killed',
  async () => {
    const label = `seed ${seed}`
    receiver = await startReceiver()
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const args = ['--data', 'hooks.db', '--seed', 'demo', '--log-level', 'silent']
    const first = await serving(args)
    const asRoot = { token: 'root-token' }
    await send(first.url, '/application/settings', {
      ...asRoot,
      method: 'PUT',
      body: {
        allow_local_requests_from_web_hooks_and_services: true,
        allow_local_requests_from_system_hooks: true,
        issues_create_limit: 0,
      },
    })
    groupId = ((await send<{ id: number }>(first.url, '/groups/acme', { method: 'GET' })) as { id: number }).id
    await send(first.url, '/groups/acme/hooks', {
      body: { url: `${target}/group`, issues_events: true, push_events: false },
    })
    await send(first.url, '/hooks', { ...asRoot, body: { url: `${target}/system`, push_events: false } })
    expect((await first.stop()).code).toBe(0)

    for (let round = 1; round <= kills; round++) {
      const { url, child, ended } = await serving(args)
      const before = countEvents()
      const events = createEvents(url, target, round, eventsPerRound * round - before)
      await expect
        .poll(countEvents, { timeout: 30_000, interval: 1, message: `${label}: no event in round ${round}` })
        .toBeGreaterThan(before)
      await pause(random() * 400)
      child.kill('SIGKILL')
      await events
      expect((await ended).code, label).toBeNull()
      if (random() < 0.7) expireLeases()
    }

    expireLeases()
    const { url, stop } = await serving(args)
    await createEvents(url, target, kills + 1, Math.max(1, eventsPerRound * kills - countEvents()))
    const pending = () => query("select count(*) from hook_delivery where state = 'pending'")
    await expect.poll(pending, { timeout: 120_000, interval: 100, message: label }).toEqual([0])
    expect((await stop()).code).toBe(0)

    verifyProjects(label)
    verifySystemHook(label)
    const requests = [...received.values()].flat()
    const distinct = new Set(
      [...received].flatMap(([path, entries]) => entries.map((entry) => `${path} ${JSON.stringify(entry)}`)),
    )
    reportFigures('webhooks of killed servers', {
      kills,
      'acknowledged events': countEvents(),
      hooks: received.size,
      deliveries: distinct.size,
      'repeated deliveries': requests.length - distinct.size,
    })
  },
  120_000 + kills * 20_000,
)
