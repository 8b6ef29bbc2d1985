import { hashToken } from '../../../access/token-digest.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { digestNewSecret } from '../../accounts/tokens/rows.ts'
import { generateTokenSecret } from '../../accounts/tokens/token.ts'

/** Creates the token of a job, which replaces an earlier one. */
export const insertJobToken = async (ctx: Context, jobId: number): Promise<string> => {
  const token = generateTokenSecret(ctx.ports.random, 'glcbt')
  const digest = await digestNewSecret(ctx, token)
  await ctx.db
    .insertInto('jobToken')
    .values({ jobId, digest } satisfies CompleteRow<'jobToken'>)
    .onConflict((conflict) => conflict.column('jobId').doUpdateSet({ digest }))
    .execute()
  return token
}

/**
 * The running job with a token.
 *
 * @throws PlatformError `forbidden` for an unknown token, and for a job that does not run
 */
export const findRunningJob = async (
  { db }: Context,
  token: string,
): Promise<{ readonly id: number; readonly projectId: number }> => {
  const row = await db
    .selectFrom('jobToken')
    .innerJoin('pipelineJob as job', 'job.id', 'jobToken.jobId')
    .where('jobToken.digest', '=', hashToken(token))
    .select(['job.id', 'job.projectId', 'job.status'])
    .executeTakeFirst()
  if (row === undefined) throw forbidden('Unknown job token')
  if (row.status !== 'running') throw forbidden('Job is not running')
  return row
}
