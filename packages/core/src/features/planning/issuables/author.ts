import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalidInput } from '../../../kernel/errors.ts'
import { findUser } from '../../accounts/users/queries.ts'

/** Returns the id of the current user, or of the `author` that the host application names. */
export async function resolveAuthorId(ctx: Context, author: number | string | undefined): Promise<number> {
  if (ctx.actor.kind === 'user') {
    if (author !== undefined) throw forbidden('Only the host application can act on behalf of another user')
    return ctx.actor.id
  }
  if (author === undefined) throw invalidInput([{ fields: ['author'], message: 'is missing' }])
  return (await findUser(ctx, author)).id
}

/** As `resolveAuthorId`, but the host may name no user: null. */
export const resolveOptionalAuthor = async (
  ctx: Context,
  author: number | string | undefined,
): Promise<number | null> => (ctx.actor.kind !== 'user' && author === undefined ? null : resolveAuthorId(ctx, author))
