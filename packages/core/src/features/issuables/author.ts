import type { Context } from '../../kernel/context.ts'
import { forbidden, invalidInput } from '../../kernel/errors.ts'
import { findUser } from '../accounts/queries.ts'

/** Who wrote it: the caller, or, for a host that acts for somebody, the user it names. */
export async function userIdOf(ctx: Context, author: number | string | undefined): Promise<number> {
  if (ctx.actor.kind === 'user') {
    if (author !== undefined) throw forbidden('Only the host application writes in the name of others')
    return ctx.actor.id
  }
  if (author === undefined) throw invalidInput([{ fields: ['author'], message: 'is missing' }])
  return (await findUser(ctx, author)).id
}
