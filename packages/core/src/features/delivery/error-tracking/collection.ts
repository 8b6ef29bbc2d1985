import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { type ParsedEvent, parseEvent, readEnvelope } from './parse-event.ts'

/** Bytes of a request, also after decompression. */
const maxEventBytes = 1024 ** 2

/** Errors of a project. A new one replaces the one that has not occurred for longest. */
const maxErrors = 1_000

const tooLarge = () => invalid(`The request has more than ${maxEventBytes} bytes`)

const readBytes = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxEventBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const decompress = async (bytes: Buffer): Promise<Buffer> => {
  // Clients that compress do not always say so.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxEventBytes })
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : invalid('The request is not valid gzip')
  }
}

/**
 * The events of a request. `isEnvelope`: otherwise, the request is one event.
 *
 * @throws PlatformError `invalid` for a request that is damaged or too large
 */
export const readEvents = async (
  content: AsyncIterable<Uint8Array>,
  isEnvelope: boolean,
): Promise<readonly ParsedEvent[]> => {
  const bytes = await decompress(await readBytes(content))
  try {
    const events = isEnvelope ? readEnvelope(bytes) : [JSON.parse(bytes.toString('utf8'))]
    return events.map(parseEvent).filter((event) => event !== undefined)
  } catch {
    throw invalid('The request is not in the format of Sentry')
  }
}

const removeOldest = async ({ db }: Context, projectId: number) => {
  const ofProject = db.selectFrom('trackedError').where('projectId', '=', projectId)
  const superfluous = ofProject
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .offset(maxErrors - 1)
    .limit(100)
  const rows = await superfluous.select('id').execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length) await db.deleteFrom('trackedError').where('id', 'in', ids).execute()
}

/** Counts an event as an occurrence of its error. */
export async function storeEvent(ctx: Context, projectId: number, parsed: ParsedEvent): Promise<void> {
  const { fingerprint, name, message, culprit, event: lastEvent } = parsed
  const error = ctx.db
    .selectFrom('trackedError')
    .where('projectId', '=', projectId)
    .where('fingerprint', '=', fingerprint)
  const known = await error.select(['id', 'status', 'eventsCount']).executeTakeFirst()
  const seen = { name, message, culprit, lastEvent, lastSeenAt: ctx.now }
  if (known) {
    const status = known.status === 'resolved' ? 'unresolved' : known.status
    const changes = { ...seen, status, eventsCount: known.eventsCount + 1 }
    await ctx.db.updateTable('trackedError').set(changes).where('id', '=', known.id).execute()
    return
  }
  await removeOldest(ctx, projectId)
  const row = { projectId, fingerprint, ...seen, status: 'unresolved', eventsCount: 1, firstSeenAt: ctx.now } as const
  await ctx.db
    .insertInto('trackedError')
    .values(row satisfies CompleteRow<'trackedError'>)
    .execute()
}
