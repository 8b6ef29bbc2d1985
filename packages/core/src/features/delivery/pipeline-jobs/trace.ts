import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'

/** Greatest size of a log, in bytes. */
export const maxTraceSize = 4_000_000

export const tooLong = () => invalid({ content: [`is too long (maximum is ${maxTraceSize} bytes)`] })

const selectPieces = ({ db }: Context, jobId: number) => db.selectFrom('jobTrace').where('jobId', '=', jobId)

/** The log of a job as text; empty without one. A piece can end within a character. */
export const readTrace = async (ctx: Context, jobId: number): Promise<string> => {
  const pieces = await selectPieces(ctx, jobId).orderBy('position').select('content').execute()
  return Buffer.concat(pieces.map(({ content }) => content)).toString()
}

export const removeTrace = async ({ db }: Context, jobId: number): Promise<void> => {
  await db.deleteFrom('jobTrace').where('jobId', '=', jobId).execute()
}

/** Shortens a log to its first bytes. */
const cut = async (ctx: Context, jobId: number, size: number) => {
  await ctx.db.deleteFrom('jobTrace').where('jobId', '=', jobId).where('position', '>=', size).execute()
  const last = await selectPieces(ctx, jobId)
    .orderBy('position', 'desc')
    .limit(1)
    .select(['position', 'content'])
    .executeTakeFirst()
  if (last === undefined || last.position + last.content.byteLength <= size) return
  const content = last.content.subarray(0, size - last.position)
  await ctx.db
    .updateTable('jobTrace')
    .set({ content, size: content.byteLength })
    .where('jobId', '=', jobId)
    .where('position', '=', last.position)
    .execute()
}

interface NewPiece {
  readonly jobId: number
  readonly content: Uint8Array
  /** Bytes of the stored log before the piece; undefined for all of them. */
  readonly offset: number | undefined
}

/**
 * Adds a piece to a log, from an offset on. What was written before is not read, so that long logs cost no more.
 *
 * @returns the size of the log in bytes
 * @throws PlatformError `invalid` for an offset after the end, and for too long a log
 */
export const writeTracePiece = async (ctx: Context, { jobId, content, offset }: NewPiece): Promise<number> => {
  const last = await selectPieces(ctx, jobId)
    .orderBy('position', 'desc')
    .limit(1)
    .select(['position', 'size'])
    .executeTakeFirst()
  const end = last === undefined ? 0 : last.position + last.size
  const position = offset ?? end
  if (position > end) throw invalid({ offset: [`is after the end, ${end}`] })
  const size = content.byteLength
  if (position + size > maxTraceSize) throw tooLong()
  if (position < end) await cut(ctx, jobId, position)
  if (size > 0)
    await ctx.db
      .insertInto('jobTrace')
      .values({ jobId, position, size, content: Buffer.from(content) } satisfies CompleteRow<'jobTrace'>)
      .execute()
  return position + size
}
