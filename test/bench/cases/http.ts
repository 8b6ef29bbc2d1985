import { start } from '../child.ts'
import { token, type World } from '../data-file.ts'
import type { Load, Loaded } from '../load-client.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { everybodysSeconds, isCounted, processorSeconds } from '../processor.ts'
import { atLeast, atMost, type Table } from '../table.ts'
import { progress, world, worldCopy } from '../workplace.ts'

const servers = { ours: './servers/platform-server.ts', hand: './servers/hand-server.ts' } as const

type Server = keyof typeof servers

const names: readonly Server[] = ['ours', 'hand']

const kinds = {
  get: 'GET a page of 20 of 200 labels',
  post: 'POST a label',
} as const

type Kind = keyof typeof kinds

/**
 * One pair of processes tells little: where their memory lies, and what the engine made of the code, stays with them. And a
 * machine that others use changes its pace within a second: only short slices in turn meet the same one.
 */
const pairs = 5
const rounds = 25

/** A slice is so many requests, on a busy machine fewer; before the first one the engine gets so many to compile the code. */
const slice = { requests: 1_000, seconds: 2 }
const warmUp = { requests: 20_000, seconds: 10 }

interface Slice {
  readonly rate: number
  /** Microseconds of the server's processor time a request. */
  readonly cost: number
  readonly p50: number
  readonly p99: number
}

type Slices = Record<Server, Slice[]>

interface Running {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

const runServer = async (name: Server): Promise<Running> => {
  const { pid, ready, stop } = await start<{ port: number }>(
    servers[name],
    [await worldCopy(`${name}.db`), 'process'],
    { processor: 0 },
  )
  return { pid, port: ready.port, stop }
}

/** Headers whose values differ from one reply to the next, or from one server to the other. */
const own = new Set(['date', 'x-request-id', 'x-runtime'])

const replyOf = async (port: number, path: string, init: RequestInit = {}) => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { 'PRIVATE-TOKEN': token, ...(init.body !== undefined && { 'Content-Type': 'application/json' }) },
  })
  const headers = [...reply.headers]
    .filter(([name]) => !own.has(name))
    .map(([name, value]) => `${name}: ${value.replaceAll(String(port), 'PORT')}`)
    .sort()
  return JSON.stringify(
    { status: reply.status, headers, names: [...reply.headers.keys()], body: await reply.json() },
    null,
    1,
  ).split('\n')
}

/** A reference that does less would flatter nobody: both must answer the same, byte for byte. */
const refuseDifference = async (ports: Readonly<Record<Server, number>>, { listed, written }: World) => {
  const body = JSON.stringify({ name: 'the first new one', color: '#428BCA', description: 'As both say it' })
  const labels = (project: number | undefined) => `/api/v4/projects/${project}/labels`
  const asks: readonly (readonly [string, RequestInit?])[] = [
    [`${labels(listed[0])}?page=1&per_page=20`],
    [`${labels(listed[3])}?page=4&per_page=20`],
    [`${labels(listed[7])}?page=10&per_page=20`],
    [labels(written[0]), { method: 'POST', body }],
  ]
  for (const [path, init] of asks) {
    const ours = await replyOf(ports.ours, path, init)
    const hand = await replyOf(ports.hand, path, init)
    const at = ours.findIndex((line, number) => line !== hand[number])
    if (at >= 0)
      throw new Error(`The servers differ on ${init?.method ?? 'GET'} ${path}: ${ours[at]} against ${hand[at]}`)
  }
}

const figures = (found: readonly Slice[], pick: (slice: Slice) => number) => found.map(pick)

const thriftOf = ({ ours, hand }: Slices) =>
  pairedRatio(
    figures(hand, ({ cost }) => cost),
    figures(ours, ({ cost }) => cost),
  )

const tableOf = (kind: Kind, found: readonly Slices[], foreign: number): Table => {
  const all: Slices = { ours: found.flatMap(({ ours }) => ours), hand: found.flatMap(({ hand }) => hand) }
  const line = (name: Server) => [
    median(figures(all[name], ({ rate }) => rate)),
    median(figures(all[name], ({ cost }) => cost)),
    median(figures(all[name], ({ p50 }) => p50)),
    median(figures(all[name], ({ p99 }) => p99)),
  ]
  const thrift = thriftOf(all)
  const speed = pairedRatio(
    figures(all.ours, ({ rate }) => rate),
    figures(all.hand, ({ rate }) => rate),
  )
  const tail = median(figures(all.ours, ({ p50, p99 }) => p99 / p50))
  const each = found.map((pair) => thriftOf(pair).toFixed(2)).join(', ')
  return {
    title: `HTTP: ${kinds[kind]}, 16 connections`,
    columns: ['requests/s', 'CPU us', 'p50 ms', 'p99 ms'],
    lines: [
      { what: 'by hand', figures: line('hand') },
      { what: 'ours', figures: line('ours') },
      atLeast('ratio of CPU a request', ['', thrift, '', ''], thrift, 0.85),
      { what: 'ratio of requests/s', figures: [speed, '', '', ''] },
      ...(kind === 'get' ? [atMost('our p99 / p50', ['', '', '', tail], tail, 4)] : []),
    ],
    notes: [
      `Medians over ${pairs} pairs of processes, ${rounds} pairs of slices each; the ratio of CPU pair by pair: ${each}.`,
      `Strangers used ${(foreign * 100).toFixed(0)} % of a processor meanwhile.`,
    ],
  }
}

/** Pairs of both servers and a client, each in a process of its own. */
export async function http(): Promise<Table[]> {
  if (!isCounted) throw new Error('This comparison needs /proc, that is Linux')
  const known = await world()
  const client = await start('./load-client.ts', [], { processor: 1 })
  const found: Record<Kind, Slices[]> = { get: [], post: [] }
  const foreign: Record<Kind, number[]> = { get: [], post: [] }
  let slices = 0

  const compare = async (kind: Kind, running: Readonly<Record<Server, Running>>) => {
    const load = (name: Server, extent: typeof slice) =>
      client.ask<Loaded>({
        port: running[name].port,
        kind,
        ...extent,
        world: known,
        slice: ++slices,
      } satisfies Load)
    const once = async (name: Server): Promise<Slice> => {
      const before = processorSeconds(running[name].pid)
      const { requests, seconds, failures, p50, p99 } = await load(name, slice)
      const spent = processorSeconds(running[name].pid) - before
      if (failures) throw new Error(`${failures} requests to ${name} failed`)
      return { rate: requests / seconds, cost: (spent * 1e6) / requests, p50, p99 }
    }
    const ownSeconds = () =>
      [process.pid, client.pid, running.ours.pid, running.hand.pid].reduce((sum, pid) => sum + processorSeconds(pid), 0)

    for (const name of names) await load(name, warmUp)
    const before = { all: everybodysSeconds(), own: ownSeconds(), at: performance.now() }
    found[kind].push(await alternate(names, rounds, once))
    const elapsed = (performance.now() - before.at) / 1_000
    const strangers = everybodysSeconds() - before.all - (ownSeconds() - before.own)
    foreign[kind].push(Math.max(0, strangers) / elapsed)
  }

  try {
    for (let pair = 1; pair <= pairs; pair++) {
      const running: Record<Server, Running> = { ours: await runServer('ours'), hand: await runServer('hand') }
      try {
        await refuseDifference({ ours: running.ours.port, hand: running.hand.port }, known)
        for (const kind of ['get', 'post'] as const) {
          progress(`http: pair ${pair} of ${pairs}, ${kinds[kind]}`)
          await compare(kind, running)
        }
      } finally {
        await Promise.all([running.ours.stop(), running.hand.stop()])
      }
    }
  } finally {
    await client.stop()
  }
  return [tableOf('get', found.get, median(foreign.get)), tableOf('post', found.post, median(foreign.post))]
}
