import { Readable } from 'node:stream'
import type { Clock } from '@forgelet/core'
import type { Ask, Layer } from '../app.ts'
import type { Reply } from '../reply.ts'
import { addressOf } from './address-pattern.ts'
import type { Message } from './exchange.ts'
import { ConnectionCut } from './fault-reply.ts'
import { faultHeader } from './faults.ts'
import type { WritableJournal } from './journal.ts'
import { credentialsOf, headersWithoutSecrets, withoutSecrets } from './redaction.ts'

/** What is looked at beyond what is kept, so that no part of a secret is left where the text is cut. */
const margin = 4_096

const textOf = (bytes: Uint8Array | string, limit: number): string =>
  typeof bytes === 'string'
    ? bytes.slice(0, limit)
    : Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, limit)).toString()

/** Writes every request into the journal, with what the client got. */
export const recording =
  (journal: WritableJournal, clock: Clock): Layer =>
  (next) =>
  async (ask) => {
    const start = performance.now()
    const at = new Date(clock.now()).toISOString()
    let sent: Uint8Array = new Uint8Array()
    const overheard: Ask = {
      ...ask,
      async body() {
        sent = await ask.body()
        return sent
      },
    }
    const credentials = credentialsOf(ask.header)
    const safe = (bytes: Uint8Array | string) =>
      withoutSecrets(textOf(bytes, journal.bodySize + margin), credentials).slice(0, journal.bodySize)

    const write = (reply: Reply | undefined, fault: number | null) => {
      const { method, target, requestId } = ask
      const cut = target.indexOf('?')
      const path = cut < 0 ? target : target.slice(0, cut)
      const query = cut < 0 ? '' : target.slice(cut + 1)
      const { route, operation } = addressOf(method, target)
      journal.write({
        at,
        method,
        path: withoutSecrets(path, credentials),
        query: withoutSecrets(query, credentials),
        route,
        operation,
        status: reply?.status ?? null,
        milliseconds: Math.round((performance.now() - start) * 1_000) / 1_000,
        requestId,
        fault,
        request: { headers: headersWithoutSecrets(ask.headers()), body: safe(sent), size: sent.length },
        response: reply ? answered(reply, safe) : { headers: {}, body: '', size: 0 },
      })
    }

    try {
      const reply = await next(overheard)
      const fault = reply.headers?.[faultHeader]
      write(reply, fault === undefined ? null : Number(fault))
      return reply
    } catch (error) {
      if (error instanceof ConnectionCut) write(undefined, error.fault)
      throw error
    }
  }

const answered = ({ headers = {}, bytes = '' }: Reply, safe: (bytes: Uint8Array | string) => string): Message => {
  const shown = headersWithoutSecrets(headers)
  if (bytes instanceof Readable) return { headers: shown, body: '', size: null }
  return { headers: shown, body: safe(bytes), size: Buffer.byteLength(bytes) }
}
