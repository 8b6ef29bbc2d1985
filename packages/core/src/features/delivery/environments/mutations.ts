import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { EnvironmentTier } from '../../code/pipeline-records/job-environment.ts'
import { parseEnvironmentInput } from './environment.ts'
import { type EnvironmentRow, selectEnvironments } from './queries.ts'
import { toEnvironmentSlug } from './slug.ts'

export const assertNameAvailable = async (ctx: Context, projectId: number, name: string, ownId = 0) => {
  const taken = await selectEnvironments(ctx, projectId)
    .where('name', '=', name)
    .where('id', '!=', ownId)
    .executeTakeFirst()
  if (taken) throw invalid({ name: ['has already been taken'] })
}

/** Finds the first unused slug for the name: a renamed environment keeps the slug of its old name. */
const findFreeSlug = async (ctx: Context, projectId: number, name: string): Promise<string> => {
  for (let attempt = 0; ; attempt++) {
    const slug = toEnvironmentSlug(name, attempt)
    if (!(await selectEnvironments(ctx, projectId).where('slug', '=', slug).executeTakeFirst())) return slug
  }
}

interface NewEnvironment {
  readonly name: string
  readonly externalUrl?: string | null
  /** Default: follows from the name. */
  readonly tier?: EnvironmentTier | null | undefined
}

/** Creates an environment. @throws PlatformError `invalid` for an invalid or taken name, or an invalid URL */
export const insertEnvironment = async (
  ctx: Context,
  projectId: number,
  { tier = null, ...input }: NewEnvironment,
): Promise<EnvironmentRow> => {
  const { name, externalUrl = null } = parseEnvironmentInput(input) as { name: string; externalUrl?: string | null }
  await assertNameAvailable(ctx, projectId, name)
  const slug = await findFreeSlug(ctx, projectId, name)
  const row = await ctx.db
    .insertInto('environment')
    .values({
      projectId,
      name,
      slug,
      externalUrl,
      state: 'available',
      tier,
      autoStopAt: null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'environment'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  const fields = { name, slug, externalUrl, state: 'available', tier, autoStopAt: null } as const
  return { ...fields, id: row.id, updatedAt: ctx.now }
}
