import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { removeArchiveFile } from './storage.ts'

/** Rows per transaction, so that other writers can run in between. */
const batchSize = 200

const removeExpired = async (ctx: Context): Promise<boolean> => {
  const expired = ctx.db
    .selectFrom('archiveExport')
    .where('expiresAt', '<=', ctx.now)
    .orderBy('expiresAt')
    .orderBy('id')
    .limit(batchSize)
  const rows = await expired.select(['id', 'storageKey']).execute()
  if (!rows.length) return false
  for (const { storageKey } of rows) await removeArchiveFile(ctx, storageKey)
  await ctx.db
    .updateTable('archiveExport')
    .set({ storageKey: null, size: null, expiresAt: null })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return rows.length === batchSize
}

/** Removes archives a day after their creation. */
export const expireArchives = defineJob('archives.expire', {
  every: 'day',
  async findNextEffect({ db }) {
    const next = await db
      .selectFrom('archiveExport')
      .where('expiresAt', 'is not', null)
      .orderBy('expiresAt')
      .limit(1)
      .select('expiresAt')
      .executeTakeFirst()
    return next?.expiresAt ?? undefined
  },
  run: (tools) => repeatStep(tools, removeExpired),
})
