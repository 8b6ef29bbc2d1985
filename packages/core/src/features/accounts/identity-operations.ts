import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { findUser } from './queries.ts'
import type { User } from './user.ts'

/** Who a user is somewhere else. */
export interface UserIdentity {
  /** Where: a name that the host chose, such as `crm` or `google`. */
  provider: string
  /** What the user is called there; compared letter by letter. */
  externalUid: string
  /** Since when; ISO 8601. */
  createdAt: string
}

const longest = 255

const elsewhere = { provider: v.string(), externalUid: v.string() }

const refuseUnfit = (given: { readonly provider: string; readonly externalUid: string }) => {
  const problems = Object.fromEntries(
    Object.entries(given).flatMap(([field, text]) => {
      if (text.trim() === '') return [[field, ["can't be blank"]]]
      return text.length > longest ? [[field, [`is too long (maximum is ${longest} characters)`]]] : []
    }),
  )
  if (Object.keys(problems).length) throw invalid(problems)
}

const holderOf = (ctx: Context, provider: string, externalUid: string) =>
  ctx.db
    .selectFrom('userIdentity')
    .where('provider', '=', provider)
    .where('externalUid', '=', externalUid)
    .select(['userId', 'provider', 'externalUid', 'createdAt'])
    .executeTakeFirst()

const toIdentity = ({ provider, externalUid, createdAt }: UserIdentity): UserIdentity => ({
  provider,
  externalUid,
  createdAt,
})

/**
 * Who the users are elsewhere: in the tables of the host, or at a service where people sign in. A session of a linked user is
 * `platform.as({ provider, externalUid })`. Single sign-on of one group is `sso`.
 */
export const identities = {
  /** The user who is known under an external UID. */
  find: query({
    on: instance,
    can: 'user.manage',
    input: elsewhere,
    async run(ctx, { provider, externalUid }): Promise<User> {
      const known = await holderOf(ctx, provider, externalUid)
      if (!known) throw notFound('User')
      return findUser(ctx, known.userId)
    },
  }),

  /** All identities of a user, by provider. */
  list: query({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    async run(ctx, { user }): Promise<readonly UserIdentity[]> {
      const { id } = await findUser(ctx, user)
      return ctx.db
        .selectFrom('userIdentity')
        .where('userId', '=', id)
        .orderBy('provider')
        .select(['provider', 'externalUid', 'createdAt'])
        .execute()
    },
  }),

  /**
   * Says who a user is elsewhere; at each provider a user is one. Saying it again changes nothing. Refused as `conflict` when
   * another user is known under that UID, or this user under another one: end that link first.
   */
  link: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference, ...elsewhere },
    async run(ctx, { user, provider, externalUid }): Promise<UserIdentity> {
      refuseUnfit({ provider, externalUid })
      const { id } = await findUser(ctx, user)
      const known = await holderOf(ctx, provider, externalUid)
      if (known && known.userId !== id) throw conflict('External UID has already been taken')
      if (known) return toIdentity(known)
      const other = await ctx.db
        .selectFrom('userIdentity')
        .where('userId', '=', id)
        .where('provider', '=', provider)
        .select('id')
        .executeTakeFirst()
      if (other) throw conflict('User is known to this provider under another UID')
      const identity = { provider, externalUid, createdAt: ctx.now }
      await ctx.db
        .insertInto('userIdentity')
        .values({ ...identity, userId: id })
        .execute()
      return identity
    },
  }),

  /** Ends a link: from now on nobody comes in under that UID. */
  unlink: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference, provider: v.string() },
    async run(ctx, { user, provider }): Promise<void> {
      const { id } = await findUser(ctx, user)
      const gone = await ctx.db
        .deleteFrom('userIdentity')
        .where('userId', '=', id)
        .where('provider', '=', provider)
        .returning('id')
        .execute()
      if (!gone.length) throw notFound()
    },
  }),
}
