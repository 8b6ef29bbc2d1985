import { start } from '../child.ts'
import { token, type World } from '../data-file.ts'
import type { Load, Loaded } from '../load-client.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { isCounted, watch } from '../processor.ts'
import { atLeast, atMost, type Table } from '../table.ts'
import { progress, world, worldCopy } from '../workplace.ts'

const servers = { ours: './servers/platform-server.ts', hand: './servers/hand-server.ts' } as const

type Server = keyof typeof servers

const names: readonly Server[] = ['ours', 'hand']

/** A slice in which strangers were busier than this is measured again, so many times at most. */
const foreignLimit = 0.06
const repetitions = 2

const rounds = 9

/** A slice is so many requests, on a busy machine fewer; before the first one the engine gets so many to compile the code. */
const slice = { requests: 3_000, seconds: 2.5 }
const warmUp = { requests: 30_000, seconds: 12 }

/** Nothing is repeated when a comparison has taken so many milliseconds. */
const patience = 30_000

interface Slice {
  readonly rate: number
  /** Microseconds of the server's processor time a request. */
  readonly cost: number
  readonly p50: number
  readonly p99: number
  readonly foreign: number
}

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

/** Both servers and a client, each in a process of its own. */
export async function http(): Promise<Table[]> {
  const known = await world()
  const running: Record<Server, Running> = { ours: await runServer('ours'), hand: await runServer('hand') }
  const client = await start('./load-client.ts', [], { processor: 1 })
  let slices = 0
  let repeated = 0

  const load = (name: Server, kind: Load['kind'], extent: typeof slice) =>
    client.ask<Loaded>({
      port: running[name].port,
      kind,
      ...extent,
      world: known,
      slice: ++slices,
    } satisfies Load)

  const once = async (name: Server, kind: Load['kind']): Promise<Slice> => {
    const { result, spent, foreign } = await watch(running[name].pid, [client.pid], () => load(name, kind, slice))
    if (result.failures) throw new Error(`${result.failures} requests to ${name} failed`)
    const { requests, p50, p99 } = result
    return { rate: requests / result.seconds, cost: (spent * 1e6) / requests, p50, p99, foreign }
  }

  const quiet = async (name: Server, kind: Load['kind'], deadline: number): Promise<Slice> => {
    let best = await once(name, kind)
    for (let again = 0; best.foreign > foreignLimit && again < repetitions && performance.now() < deadline; again++) {
      repeated++
      const other = await once(name, kind)
      if (other.foreign < best.foreign) best = other
    }
    return best
  }

  const compare = async (kind: Load['kind']): Promise<Table> => {
    for (const name of names) await load(name, kind, warmUp)
    const deadline = performance.now() + patience
    const found = await alternate(names, rounds, (name) => quiet(name, kind, deadline))
    const figures = (name: Server, pick: (slice: Slice) => number) => found[name].map(pick)
    const line = (name: Server) => [
      median(figures(name, ({ rate }) => rate)),
      median(figures(name, ({ cost }) => cost)),
      median(figures(name, ({ p50 }) => p50)),
      median(figures(name, ({ p99 }) => p99)),
    ]
    const speed = pairedRatio(
      figures('ours', ({ rate }) => rate),
      figures('hand', ({ rate }) => rate),
    )
    const thrift = pairedRatio(
      figures('hand', ({ cost }) => cost),
      figures('ours', ({ cost }) => cost),
    )
    const tail = median(found.ours.map(({ p50, p99 }) => p99 / p50))
    const foreign = median([...found.ours, ...found.hand].map((slice) => slice.foreign))
    const what = kind === 'get' ? 'GET a page of 20 of 200 labels' : 'POST a label'
    return {
      title: `HTTP: ${what}, 16 connections`,
      columns: ['requests/s', 'CPU us', 'p50 ms', 'p99 ms'],
      lines: [
        { what: 'by hand', figures: line('hand') },
        { what: 'ours', figures: line('ours') },
        atLeast('ratio of CPU a request', ['', thrift, '', ''], thrift, 0.85),
        { what: 'ratio of requests/s', figures: [speed, '', '', ''] },
        ...(kind === 'get' ? [atMost('our p99 / p50', ['', '', '', tail], tail, 4)] : []),
      ],
      notes: [
        `Strangers used ${(foreign * 100).toFixed(0)} % of a processor in the median slice; ${repeated} slices were repeated for that.`,
      ],
    }
  }

  try {
    if (!isCounted) throw new Error('This comparison needs /proc, that is Linux')
    progress('http: comparing the replies of both servers')
    await refuseDifference({ ours: running.ours.port, hand: running.hand.port }, known)
    progress('http: GET')
    const get = await compare('get')
    progress('http: POST')
    return [get, await compare('post')]
  } finally {
    await Promise.all([running.ours.stop(), running.hand.stop(), client.stop()])
  }
}
