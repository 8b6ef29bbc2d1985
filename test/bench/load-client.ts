import { connect, type Socket } from 'node:net'
import type { World } from './data-file.ts'
import { formatRequest, type Scenario } from './load-scenarios.ts'
import { quantile } from './measure.ts'

/** A load client with little overhead: persistent connections with one request at a time each. Runs in a separate process. */

export interface Load {
  /** The connections are distributed over the ports. */
  readonly ports: readonly number[]
  readonly scenario: Scenario
  readonly connections: number
  /** Whether the client keeps a core busy while it waits, see `stayAwake`. */
  readonly awake: boolean
  /** The slice ends after `requests` replies or `seconds`, whichever comes first. */
  readonly requests: number
  readonly seconds: number
  readonly world: World
  /** A number that makes names unique between slices. */
  readonly slice: number
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** Replies with a status from 400. */
  readonly failures: number
  /** Replies with status 503. */
  readonly unavailable: number
  /** The first failed request with another status, and its reply. */
  readonly failure?: string | undefined
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const lengthName = 'Content-Length: '

/** The byte length of the first reply in the buffer; undefined while it is incomplete. */
const replyLength = (buffer: Buffer): number | undefined => {
  const end = buffer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = buffer.toString('latin1', 0, end)
  const at = head.indexOf(lengthName)
  // 204 and 304 have no body.
  if (at < 0) return end + 4
  const length = end + 4 + Number.parseInt(head.slice(at + lengthName.length), 10)
  return buffer.length >= length ? length : undefined
}

const run = async (load: Load): Promise<LoadResult> => {
  const start = performance.now()
  const end = start + load.seconds * 1_000
  const latencies: number[] = []
  const { ports, scenario, connections, world } = load
  let count = 0
  let failures = 0
  let unavailable = 0
  let failure: string | undefined

  const drive = (client: number) =>
    new Promise<void>((resolve, reject) => {
      let socket: Socket
      let sent = 0
      let request = ''
      let pending: Buffer | undefined
      const send = () => {
        sent = performance.now()
        count++
        request = formatRequest(scenario, { world, client, count, unique: `${load.slice}-${count}` })
        socket.write(request)
      }
      const open = () => {
        socket = connect(ports[client % ports.length] as number, '127.0.0.1', send)
        socket.setNoDelay(true)
        socket.on('error', reject)
        socket.on('data', onData)
      }
      const onData = (chunk: Buffer) => {
        const buffer = pending ? Buffer.concat([pending, chunk]) : chunk
        const length = replyLength(buffer)
        if (length === undefined) {
          pending = buffer
          return
        }
        pending = undefined
        const now = performance.now()
        latencies.push(now - sent)
        const status = Number(buffer.toString('latin1', 9, 12))
        if (status >= 400) failures++
        if (status === 503) unavailable++
        else if (status >= 400) failure ??= `${request}\n${buffer.toString()}`
        const last = buffer.toString('latin1', 0, length).includes('\r\nConnection: close')
        if (now >= end || latencies.length > load.requests - connections) {
          socket.destroy()
          resolve()
        } else if (last) {
          // The server limits the number of requests per connection.
          socket.destroy()
          open()
        } else send()
      }
      open()
    })

  await Promise.all(Array.from({ length: connections }, (_, client) => drive(client)))
  return {
    requests: latencies.length,
    seconds: (performance.now() - start) / 1_000,
    failures,
    unavailable,
    failure,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

let isLoading = false

/**
 * Keeps the process awake under load. The server pays for waking a sleeping client – on a virtual machine a third of the cost of
 * a request – and a slower server would pay more often, because its client sleeps more often.
 */
const stayAwake = () => {
  if (isLoading) setImmediate(stayAwake)
}

process.on('message', async (load: Load) => {
  isLoading = load.awake
  stayAwake()
  const result = await run(load)
  isLoading = false
  process.send?.(result)
})
process.send?.({})
