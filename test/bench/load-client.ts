import { connect, type Socket } from 'node:net'
import { token, type World } from './data-file.ts'
import { quantile } from './measure.ts'

/** A load client with little overhead: 16 persistent connections with one request at a time each. Runs in a separate process. */

export interface Load {
  readonly port: number
  readonly kind: 'get' | 'post'
  /** The slice ends after `requests` replies or `seconds`, whichever comes first. */
  readonly requests: number
  readonly seconds: number
  readonly world: World
  /** A number that makes the names of new labels unique between slices. */
  readonly slice: number
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly failures: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const connections = 16

const pickRandom = (from: readonly number[]) => from[Math.floor(Math.random() * from.length)] as number

const headers = `Host: 127.0.0.1\r\nPRIVATE-TOKEN: ${token}\r\nAccept: application/json\r\n`

const getRequest = ({ world }: Load) => {
  const page = 1 + Math.floor(Math.random() * 10)
  return `GET /api/v4/projects/${pickRandom(world.listed)}/labels?page=${page}&per_page=20 HTTP/1.1\r\n${headers}\r\n`
}

const postRequest = ({ world, slice }: Load, count: number) => {
  const body = `{"name":"new ${slice}-${count}","color":"#428BCA","description":"What new labels are about"}`
  const bodyHeaders = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `POST /api/v4/projects/${pickRandom(world.written)}/labels HTTP/1.1\r\n${headers}${bodyHeaders}\r\n${body}`
}

const lengthName = 'Content-Length: '

/** The byte length of the first reply in the buffer; undefined while it is incomplete. */
const replyLength = (buffer: Buffer): number | undefined => {
  const end = buffer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = buffer.toString('latin1', 0, end)
  const at = head.indexOf(lengthName)
  const length = end + 4 + Number.parseInt(head.slice(at + lengthName.length), 10)
  return buffer.length >= length ? length : undefined
}

const run = async (load: Load): Promise<LoadResult> => {
  const start = performance.now()
  const end = start + load.seconds * 1_000
  const latencies: number[] = []
  let count = 0
  let failures = 0
  const next = load.kind === 'get' ? () => getRequest(load) : () => postRequest(load, ++count)

  const drive = () =>
    new Promise<void>((resolve, reject) => {
      let socket: Socket
      let sent = 0
      let pending: Buffer | undefined
      const send = () => {
        sent = performance.now()
        socket.write(next())
      }
      const open = () => {
        socket = connect(load.port, '127.0.0.1', send)
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
        if (buffer.toString('latin1', 9, 12) !== '200') failures++
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

  await Promise.all(Array.from({ length: connections }, drive))
  return {
    requests: latencies.length,
    seconds: (performance.now() - start) / 1_000,
    failures,
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
  isLoading = true
  stayAwake()
  const result = await run(load)
  isLoading = false
  process.send?.(result)
})
process.send?.({})
