import { start } from '../child.ts'
import { cpuSeconds, hasCpuTimes, totalCpuSeconds } from '../cpu-time.ts'
import { token, type World } from '../data-file.ts'
import type { Load, LoadResult } from '../load-client.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'
import { copyWorld, progress, world } from '../temporary-files.ts'

const servers = {
  ours: './servers/platform-server.ts',
  hand: './servers/hand-server.ts',
  kysely: './servers/kysely-server.ts',
  /** Ours, with the driver of Node.js instead of better-sqlite3. */
  nodeSqlite: './servers/platform-server.ts',
} as const

type Server = keyof typeof servers

const kinds = {
  get: 'GET a page of 20 of 200 labels',
  post: 'POST a label',
} as const

type Kind = keyof typeof kinds

/** The servers that are compared for each kind of request. The server with Kysely has no route for POST. */
const names: Readonly<Record<Kind, readonly Server[]>> = {
  get: ['ours', 'hand', 'kysely', 'nodeSqlite'],
  post: ['ours', 'hand', 'nodeSqlite'],
}
/** Of a missed target. */
const reason = 'The remaining difference is spread over plain code; no part of it takes 3 % of a request (decision 54).'

const scenarios = { get: 'page', post: 'label' } as const

/**
 * Several pairs of processes, because memory layout and JIT compilation differ between processes. Short alternating slices,
 * because the speed of a shared machine changes within a second.
 */
const pairs = 5
const rounds = 25

/** The limits of one slice, and of the warm-up before the first slice, in which the code is compiled. */
const slice = { requests: 1_000, seconds: 2 }
const warmUp = { requests: 20_000, seconds: 10 }

interface Slice {
  readonly rate: number
  /** CPU time of the server per request, in microseconds. */
  readonly cost: number
  readonly p50: number
  readonly p99: number
}

type Slices = Partial<Record<Server, Slice[]>>

interface Running {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

const runServer = async (name: Server): Promise<Running> => {
  const { pid, ready, stop } = await start<{ port: number }>(
    servers[name],
    [await copyWorld(`${name}.db`), 'process', name === 'nodeSqlite' ? 'node:sqlite' : 'better-sqlite3'],
    { processor: 0 },
  )
  return { pid, port: ready.port, stop }
}

/** Headers with a different value in each reply. */
const varying = new Set(['date', 'x-request-id', 'x-runtime'])

const replyOf = async (port: number, path: string, init: RequestInit = {}) => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { 'PRIVATE-TOKEN': token, ...(init.body !== undefined && { 'Content-Type': 'application/json' }) },
  })
  const headers = [...reply.headers]
    .filter(([name]) => !varying.has(name))
    .map(([name, value]) => `${name}: ${value.replaceAll(String(port), 'PORT')}`)
    .sort()
  return JSON.stringify(
    { status: reply.status, headers, names: [...reply.headers.keys()], body: await reply.json() },
    null,
    1,
  ).split('\n')
}

/** Checks that all servers send the same replies, byte for byte. */
const assertEqualReplies = async (ports: Readonly<Record<Server, number>>, { listed, written }: World) => {
  const body = JSON.stringify({ name: 'the first new one', color: '#428BCA', description: 'The same for both' })
  const labels = (project: number | undefined) => `/api/v4/projects/${project}/labels`
  const requests: readonly (readonly [string, RequestInit?])[] = [
    [`${labels(listed[0])}?page=1&per_page=20`],
    [`${labels(listed[3])}?page=4&per_page=20`],
    [`${labels(listed[7])}?page=10&per_page=20`],
    [labels(written[0]), { method: 'POST', body }],
  ]
  for (const [path, init] of requests) {
    const ours = await replyOf(ports.ours, path, init)
    for (const name of names[init ? 'post' : 'get'].filter((name) => name !== 'ours')) {
      const other = await replyOf(ports[name], path, init)
      const at = ours.findIndex((line, index) => line !== other[index])
      if (at >= 0) throw new Error(`The replies of ${name} to ${path} differ: ${ours[at]} and ${other[at]}`)
    }
  }
}

/** The CPU time of the first server divided by that of the second. */
const costRatio = (first: readonly Slice[] = [], second: readonly Slice[] = []) =>
  pairedRatio(
    first.map(({ cost }) => cost),
    second.map(({ cost }) => cost),
  )

const speedRatio = (ours: readonly Slice[], others: readonly Slice[]) =>
  pairedRatio(
    ours.map(({ rate }) => rate),
    others.map(({ rate }) => rate),
  )

const nodeSqliteRatio = (ours: readonly Slice[], nodeSqlite: readonly Slice[]): Line => ({
  what: 'ratio of node:sqlite to better-sqlite3',
  values: [speedRatio(nodeSqlite, ours), costRatio(ours, nodeSqlite), '', ''],
  reference: 'the same server with better-sqlite3',
})

const kyselyLines = (values: readonly number[], ratio: number): Line[] => [
  { what: 'Kysely, queries built for each request', values },
  atLeast('requests/s, compared with Kysely', [ratio, '', '', ''], ratio, 2, {
    reference: 'a server that builds its queries with Kysely for each request, with the same replies',
  }),
]

const tableOf = (kind: Kind, pairSlices: readonly Slices[], otherLoad: number): Table => {
  const slicesOf = (name: Server) => pairSlices.flatMap((slices) => slices[name] ?? [])
  const all = {
    ours: slicesOf('ours'),
    hand: slicesOf('hand'),
    kysely: slicesOf('kysely'),
    nodeSqlite: slicesOf('nodeSqlite'),
  }
  const line = (name: Server) => [
    median(all[name].map(({ rate }) => rate)),
    median(all[name].map(({ cost }) => cost)),
    median(all[name].map(({ p50 }) => p50)),
    median(all[name].map(({ p99 }) => p99)),
  ]
  const ratio = costRatio(all.hand, all.ours)
  const speed = speedRatio(all.ours, all.hand)
  const tail = median(all.ours.map(({ p50, p99 }) => p99 / p50))
  const perPair = pairSlices.map((pair) => costRatio(pair.hand, pair.ours).toFixed(2)).join(', ')
  return {
    title: `HTTP: ${kinds[kind]}, 16 connections`,
    reference: 'a server written by hand for these requests; its replies are the same byte for byte',
    columns: ['requests/s', 'CPU us', 'p50 ms', 'p99 ms'],
    lines: [
      { what: 'by hand', values: line('hand') },
      { what: 'ours', values: line('ours') },
      atLeast('ratio of CPU a request', ['', ratio, '', ''], ratio, 0.85, { reason }),
      { what: 'ratio of requests/s', values: [speed, '', '', ''] },
      { what: 'ours, node:sqlite', values: line('nodeSqlite') },
      nodeSqliteRatio(all.ours, all.nodeSqlite),
      ...(kind === 'get' ? kyselyLines(line('kysely'), speedRatio(all.ours, all.kysely)) : []),
      ...(kind === 'get'
        ? [atMost('our p99 / p50', ['', '', '', tail], tail, 4, { reference: 'the median latency of the same slices' })]
        : []),
    ],
    notes: [
      `Medians over ${pairs} pairs of processes, ${rounds} pairs of slices each; the ratio of CPU per pair: ${perPair}.`,
      `Other processes used ${(otherLoad * 100).toFixed(0)} % of a core.`,
    ],
  }
}

/** Compares sets of all servers under load from one client, each in a separate process. */
export async function http(): Promise<Table[]> {
  if (!hasCpuTimes) throw new Error('This benchmark requires Linux, because it reads /proc')
  const data = await world()
  const client = await start('./load-client.ts', [], { processor: 1 })
  const slices: Record<Kind, Slices[]> = { get: [], post: [] }
  const otherLoad: Record<Kind, number[]> = { get: [], post: [] }
  let sliceNumber = 0

  const compare = async (kind: Kind, running: Readonly<Record<Server, Running>>) => {
    const load = (name: Server, limits: typeof slice) =>
      client.request<LoadResult>({
        ports: [running[name].port],
        scenario: scenarios[kind],
        connections: 16,
        awake: true,
        ...limits,
        world: data,
        slice: ++sliceNumber,
      } satisfies Load)
    const measureSlice = async (name: Server): Promise<Slice> => {
      const before = cpuSeconds(running[name].pid)
      const { requests, seconds, failures, p50, p99 } = await load(name, slice)
      const spent = cpuSeconds(running[name].pid) - before
      if (failures) throw new Error(`${failures} requests to ${name} failed`)
      return { rate: requests / seconds, cost: (spent * 1e6) / requests, p50, p99 }
    }
    const ownSeconds = () =>
      [process.pid, client.pid, ...Object.values(running).map(({ pid }) => pid)].reduce(
        (sum, pid) => sum + cpuSeconds(pid),
        0,
      )

    for (const name of names[kind]) await load(name, warmUp)
    const before = { all: totalCpuSeconds(), own: ownSeconds(), at: performance.now() }
    slices[kind].push(await alternate(names[kind], rounds, measureSlice))
    const elapsed = (performance.now() - before.at) / 1_000
    const others = totalCpuSeconds() - before.all - (ownSeconds() - before.own)
    otherLoad[kind].push(Math.max(0, others) / elapsed)
  }

  try {
    for (let pair = 1; pair <= pairs; pair++) {
      const running: Record<Server, Running> = {
        ours: await runServer('ours'),
        hand: await runServer('hand'),
        kysely: await runServer('kysely'),
        nodeSqlite: await runServer('nodeSqlite'),
      }
      try {
        const { ours, hand, kysely, nodeSqlite } = running
        const ports = { ours: ours.port, hand: hand.port, kysely: kysely.port, nodeSqlite: nodeSqlite.port }
        await assertEqualReplies(ports, data)
        for (const kind of ['get', 'post'] as const) {
          progress(`http: pair ${pair} of ${pairs}, ${kinds[kind]}`)
          await compare(kind, running)
        }
      } finally {
        await Promise.all(Object.values(running).map(({ stop }) => stop()))
      }
    }
  } finally {
    await client.stop()
  }
  return [tableOf('get', slices.get, median(otherLoad.get)), tableOf('post', slices.post, median(otherLoad.post))]
}
