import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { type Environment, parseEnvironmentInput } from './environment.ts'
import { selectEnvironments } from './queries.ts'
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

/** Creates an environment. @throws PlatformError `invalid` for an invalid or taken name, or an invalid URL */
export const insertEnvironment = async (
  ctx: Context,
  projectId: number,
  input: { readonly name: string; readonly externalUrl?: string | null },
): Promise<Environment> => {
  const { name, externalUrl = null } = parseEnvironmentInput(input) as { name: string; externalUrl?: string | null }
  await assertNameAvailable(ctx, projectId, name)
  const slug = await findFreeSlug(ctx, projectId, name)
  const [row] = await ctx.db
    .insertInto('environment')
    .values({
      projectId,
      name,
      slug,
      externalUrl,
      state: 'available',
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'environment'>)
    .returning('id')
    .execute()
  return { id: (row as { id: number }).id, name, slug, externalUrl, state: 'available' }
}
