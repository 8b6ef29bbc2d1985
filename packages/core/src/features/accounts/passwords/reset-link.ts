import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'

/** The user of a link, the time of the password that it replaces (null: none), and the time until which it is valid. */
export const ResetLink = v.strictTuple([v.number(), v.nullable(v.string()), v.string()])

/** A user who may sign in, with the time of the password; undefined for others. */
export const findAccount = ({ db }: Context, userId: number) =>
  db
    .selectFrom('user')
    .leftJoin('userPassword as password', 'password.userId', 'user.id')
    .where('user.id', '=', userId)
    .where('user.state', '=', 'active')
    .where('user.bot', '=', false)
    .select(['user.name', 'password.changedAt'])
    .executeTakeFirst()
