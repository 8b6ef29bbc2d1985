import { Readable } from 'node:stream'
import { PlatformError } from '@forgelet/core'
import type { DomainEvents } from './domain-events.ts'
import type { Exchange } from './exchange.ts'
import type { Journal } from './journal.ts'

const maxStreams = 32
/** Milliseconds. */
const heartbeatInterval = 15_000

/**
 * Server-sent events (HTML standard, section 9.2): `exchange` for each request, `signal` with the name of each domain event,
 * `world` after each change by the control plane.
 */
export interface EventStreams {
  /** Opens a stream of future events. With `after`, it starts with the journal's exchanges after that id. */
  open(after?: number): Readable
  /** Sends a `world` event to all streams. */
  notifyWorldChanged(by: string): void
  /** Ends all streams; open streams prevent the server from closing. */
  close(): void
}

const formatEvent = (name: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** If a client does not read, its stream is destroyed above this limit. */
const maxBufferedBytes = 4 * 1024 * 1024

export function createEventStreams(journal: Journal, events: DomainEvents): EventStreams {
  const open = new Set<Readable>()
  const push = (stream: Readable, text: string) => {
    if (stream.destroyed) return
    if (stream.readableLength > maxBufferedBytes) stream.destroy()
    else stream.push(text)
  }
  return {
    open(after) {
      if (open.size >= maxStreams) {
        throw new PlatformError('limited', `At most ${maxStreams} event streams can be open`, { retryAfter: 1 })
      }
      const onExchange = (exchange: Exchange) => push(stream, formatEvent('exchange', exchange, exchange.id))
      const stopListening = journal.listen(onExchange)
      const stopSignals = events.listen((name) => push(stream, formatEvent('signal', { name })))
      const timer = setInterval(() => push(stream, ': heartbeat\n\n'), heartbeatInterval)
      timer.unref()
      const stream = new Readable({
        read: () => undefined,
        destroy(error, done) {
          clearInterval(timer)
          stopListening()
          stopSignals()
          open.delete(stream)
          done(error)
        },
      })
      open.add(stream)
      stream.push(': open\n\n')
      if (after !== undefined) for (const exchange of journal.find({ after })) onExchange(exchange)
      return stream
    },
    notifyWorldChanged(by) {
      for (const stream of open) push(stream, formatEvent('world', { by }))
    },
    close() {
      for (const stream of open) stream.push(null)
    },
  }
}
