import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { createPlatform, type Platform, sqlite } from '@forgelet/core'
import { type Child, onProcessor, start } from '../child.ts'
import { token, type World } from '../data-file.ts'
import type { Load, LoadResult } from '../load-client.ts'
import { alternate, median, pairedRatio, quantile } from '../measure.ts'
import { atMost, type Table } from '../table.ts'
import { copyWorld, progress, world } from '../temporary-files.ts'

/** An odd number, so that the median is one of the measured values. */
const rounds = 11
const hooks = 10
const events = 100
/** Seconds of one slice, over which its events are distributed. */
const sliceSeconds = 10
/** Events that measure the delay of a receiver in each round. */
const delayedEvents = 5

const titleOf = async (request: Parameters<RequestListener>[0]): Promise<string> =>
  // biome-ignore lint/suspicious/noExplicitAny: the body of an issue event
  ((await json(request)) as any).object_attributes.title

/** A server for the deliveries of some hooks. */
const listen = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/**
 * A receiver that answers at once. Deliveries to `/counted` are counted only, because the receiver shares the processors with the
 * server; for all others it keeps the time at which their title arrived.
 */
const startReceiver = async () => {
  const times = new Map<string, number>()
  let count = 0
  const { server, url } = await listen(async (request, response) => {
    response.end()
    if (request.url?.startsWith('/counted')) {
      count++
      request.resume()
      return
    }
    const arrivedAt = performance.now()
    times.set(await titleOf(request), arrivedAt)
  })
  return { server, url, times, getCount: () => count }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Projects of the benchmark data without hooks, with ten, with one, and with one beside two bad receivers. */
const projectsOf = ({ written }: World) => {
  const [quiet, loaded, alone, beside] = written as [number, number, number, number]
  return { quiet, loaded, alone, beside }
}

const addHooks = async (platform: Platform, projects: ReturnType<typeof projectsOf>, urls: Record<string, string>) => {
  const host = platform.as({ system: 'bench' })
  await host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true, issuesCreateLimit: 0 })
  const add = (project: number, url: string | undefined) =>
    host.hooks.create({ project, url: url as string, issuesEvents: true, pushEvents: false })
  for (let at = 0; at < hooks; at++) await add(projects.loaded, `${urls.healthy}/counted/${at}`)
  await add(projects.alone, urls.healthy)
  await add(projects.beside, urls.slow)
  await add(projects.beside, urls.failing)
  await add(projects.beside, urls.healthy)
}

/** Creates an issue; resolves when the response has arrived. */
const createIssue = async (port: number, project: number, title: string) => {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v4/projects/${project}/issues`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`An issue could not be created: ${reply.status} ${text}`)
}

const until = async (what: string, isDone: () => boolean) => {
  const end = performance.now() + 60_000
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`After a minute: ${what}`)
    await pause(5)
  }
}

interface Running {
  readonly data: World
  readonly port: number
  readonly client: Child
  readonly receiver: Receiver
}

/** Pages of labels while 100 issues are created in a project with ten hooks, or without hooks. */
const measurePages = async ({ data, port, client, receiver }: Running) => {
  const { quiet, loaded } = projectsOf(data)
  const load = (slice: number) =>
    client.request<LoadResult>({
      ports: [port],
      scenario: 'page',
      connections: 1,
      awake: false,
      requests: Number.MAX_SAFE_INTEGER,
      seconds: sliceSeconds,
      world: data,
      slice,
    } satisfies Load)
  await load(0)
  return alternate(['quiet', 'loaded'], rounds, async (name, round) => {
    progress(`hooks: round ${round + 1} of ${rounds}, ${name}`)
    const before = receiver.getCount()
    const startedAt = performance.now()
    const loading = load(round + 1)
    for (let at = 0; at < events; at++) {
      await pause(Math.max(0, startedAt + (at * sliceSeconds * 1_000) / events - performance.now()))
      await createIssue(port, name === 'loaded' ? loaded : quiet, `${name} ${round}-${at}`)
    }
    const result = await loading
    if (name === 'loaded') await until('deliveries are missing', () => receiver.getCount() - before === hooks * events)
    if (result.failures) throw new Error(`${result.failures} pages failed: ${result.failure}`)
    return result
  })
}

const pageTable = (slices: Awaited<ReturnType<typeof measurePages>>): Table => {
  const meanTimes = (results: readonly LoadResult[]) =>
    results.map(({ requests, seconds }) => (seconds * 1_000) / requests)
  const ratio = pairedRatio(meanTimes(slices.loaded), meanTimes(slices.quiet))
  const values = (results: readonly LoadResult[]) => [
    median(meanTimes(results)),
    median(results.map(({ p50 }) => p50)),
    median(results.map(({ p99 }) => p99)),
  ]
  return {
    title: 'Pages of labels during deliveries',
    reference: 'the same load and the same new issues in a project without hooks',
    columns: ['mean ms', 'p50 ms', 'p99 ms'],
    lines: [
      { what: 'without hooks', values: values(slices.quiet) },
      { what: '1,000 deliveries to 10 hooks', values: values(slices.loaded) },
      atMost('ratio of the mean time', [ratio, '', ''], ratio, 1.1),
    ],
    notes: [
      `Medians of ${rounds} rounds. In each slice of ${sliceSeconds} s one connection reads pages of 20 labels, while another one creates ${events} issues at equal intervals.`,
    ],
  }
}

/** Milliseconds from the response to a new issue until the receiver has its event. */
const measureDelays = async ({ data, port, receiver }: Running) => {
  const { alone, beside } = projectsOf(data)
  const rowsOf = await alternate(['alone', 'beside'], rounds, async (name, round) => {
    progress(`hooks: delays, round ${round + 1} of ${rounds}, ${name}`)
    const delays: number[] = []
    for (let at = 0; at < delayedEvents; at++) {
      const title = `delay ${name} ${round}-${at}`
      await createIssue(port, name === 'alone' ? alone : beside, title)
      const createdAt = performance.now()
      await until(`the event of ${title} is missing`, () => receiver.times.has(title))
      delays.push((receiver.times.get(title) as number) - createdAt)
      // A different part of the interval between two job runs.
      await pause(Math.random() * 1_000)
    }
    return delays
  })
  return { alone: rowsOf.alone.flat(), beside: rowsOf.beside.flat() }
}

const delayTable = (delays: Awaited<ReturnType<typeof measureDelays>>): Table => ({
  title: 'Delay of a healthy receiver',
  columns: ['p50 ms', 'p99 ms'],
  lines: [
    { what: 'alone', values: [median(delays.alone), quantile(delays.alone, 0.99)] },
    {
      what: 'beside a slow and a failing receiver',
      values: [median(delays.beside), quantile(delays.beside, 0.99)],
    },
  ],
  notes: [
    `From the response to a new issue until the event has arrived, ${rounds * delayedEvents} events each. The server looks for deliveries every second.`,
    'The slow receiver never answers, so that its requests end after the time limit of 10 s; the failing one answers with 500.',
  ],
})

/** Deliveries to webhooks: how much they slow down other requests, and each other. */
export async function webhooks(): Promise<Table[]> {
  const data = await world()
  const path = await copyWorld('hooks.db')
  const receiver = await startReceiver()
  const slow = await listen(() => undefined)
  const failing = await listen((_, response) => response.writeHead(500).end())
  const servers: readonly Server[] = [receiver.server, slow.server, failing.server]
  const platform = createPlatform(sqlite(path, { durability: 'process' }))
  await addHooks(platform, projectsOf(data), { healthy: receiver.url, slow: slow.url, failing: failing.url })
  await platform.close()
  const server = await start<{ port: number }>('./servers/platform-server.ts', [path, 'process'], { processor: 0 })
  const client = await start('./load-client.ts', [], { processor: 1 })
  try {
    const running: Running = { data, port: server.ready.port, client, receiver }
    return [
      pageTable(await onProcessor(1, () => measurePages(running))),
      delayTable(await onProcessor(1, () => measureDelays(running))),
    ]
  } finally {
    await Promise.all([server.stop(), client.stop()])
    for (const each of servers) {
      each.closeAllConnections()
      each.close()
    }
  }
}
