import { Readable } from 'node:stream'
import { PlatformError } from '@forgelet/core'
import type { Exchange } from './exchange.ts'
import type { Journal } from './journal.ts'

const most = 32
const heartbeat = 15_000

/** Server-sent events (the HTML standard, section 9.2): `exchange` for each request, `world` when the world is changed from outside. */
export interface EventStreams {
  /** A stream of what happens from now on, and of exchanges after the one with the id `after`, as far as they are kept. */
  open(after?: number): Readable
  /** Tells all of them that the world was changed by a call of the control plane. */
  changed(by: string): void
  /** Ends all of them: a server with an open stream does not close. */
  close(): void
}

const event = (name: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** A reader that does not read is dropped before it costs memory. */
const patience = 4 * 1024 * 1024

export function eventStreams(journal: Journal): EventStreams {
  const open = new Set<Readable>()
  const push = (stream: Readable, text: string) => {
    if (stream.destroyed) return
    if (stream.readableLength > patience) stream.destroy()
    else stream.push(text)
  }
  return {
    open(after) {
      if (open.size >= most) {
        throw new PlatformError('limited', `At most ${most} event streams are open at once`, { retryAfter: 1 })
      }
      const onExchange = (exchange: Exchange) => push(stream, event('exchange', exchange, exchange.id))
      const stopListening = journal.listen(onExchange)
      const timer = setInterval(() => push(stream, ': still here\n\n'), heartbeat)
      timer.unref()
      const stream = new Readable({
        read: () => undefined,
        destroy(error, done) {
          clearInterval(timer)
          stopListening()
          open.delete(stream)
          done(error)
        },
      })
      open.add(stream)
      stream.push(': open\n\n')
      if (after !== undefined) for (const exchange of journal.find({ after })) onExchange(exchange)
      return stream
    },
    changed(by) {
      for (const stream of open) push(stream, event('world', { by }))
    },
    close() {
      for (const stream of open) {
        stream.push(null)
      }
    },
  }
}
