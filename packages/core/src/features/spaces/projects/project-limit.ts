import type { Namespace } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'

/**
 * Enforces the project limit of a user's personal namespace. The host is exempt.
 *
 * @throws PlatformError `invalid` for `limitReached` when the limit is reached
 */
export async function assertBelowProjectLimit(ctx: Context, { id, ownerId }: Namespace): Promise<void> {
  if (ownerId === null || ctx.actor.kind === 'system') return
  const { projectsLimit } = await ctx.db
    .selectFrom('user')
    .where('id', '=', ownerId)
    .select('projectsLimit')
    .executeTakeFirstOrThrow()
  const { count } = await ctx.db
    .selectFrom('project')
    .where('namespaceId', '=', id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) < projectsLimit) return
  throw invalid({
    limitReached: [`Your project limit is ${projectsLimit} projects! Please contact your administrator to increase it`],
  })
}
