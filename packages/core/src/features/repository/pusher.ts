import type { Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { findUser } from '../accounts/queries.ts'

/** A user as the author of commits. */
export interface Pusher {
  readonly id: number
  readonly name: string
  readonly email: string
}

export const findPusher = async (ctx: Context, ref: number | string): Promise<Pusher> => {
  const { id, name, email } = await findUser(ctx, ref)
  return { id, name, email }
}

/** The calling user, or the user in `pushedBy` of a host; null for a host without `pushedBy`. */
export const resolvePusher = async (ctx: Context, pushedBy: number | string | undefined): Promise<Pusher | null> => {
  if (ctx.actor.kind === 'user' && pushedBy !== undefined) {
    throw forbidden('Only the host application can push for another user')
  }
  const ref = ctx.actor.kind === 'user' ? ctx.actor.id : pushedBy
  return ref === undefined ? null : findPusher(ctx, ref)
}
