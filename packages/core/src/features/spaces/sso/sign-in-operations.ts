import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, forbidden, invalid } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import { findIdentity, linkIdentity } from '../../accounts/identities/link.ts'
import { createUser } from '../../accounts/users/mutations.ts'
import { signUpEmailProblem } from '../../administration/settings/domain-list.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { findFreeUsername } from '../scim/free-username.ts'

/** A user whom an identity provider has signed in. */
export interface SignedInUser {
  /** Id of the user. */
  readonly userId: number
}

interface ProviderUser {
  readonly provider: string
  readonly externalUid: string
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly emailVerified: boolean
}

/**
 * The account that the same provider has created in a group with SCIM. Accounts that existed before, and those of administrators, have to be linked by an
 * administrator.
 */
const findProvisionedUser = async ({ db }: Context, { provider, externalUid }: ProviderUser) => {
  const row = await db
    .selectFrom('scimIdentity as identity')
    .innerJoin('ssoProvider as provider', 'provider.groupId', 'identity.groupId')
    .innerJoin('user', 'user.id', 'identity.userId')
    .where((eb) => eb(lower('identity.externUid'), '=', lower(eb.val(externalUid))))
    .where('identity.externUid', '=', externalUid)
    .where('identity.provisioned', '=', true)
    .where('identity.unlinkedAt', 'is', null)
    .where('provider.name', '=', provider)
    .where('provider.enabled', '=', true)
    .where('user.admin', '=', false)
    .orderBy('identity.id')
    .select('identity.userId')
    .executeTakeFirst()
  return row?.userId
}

/** An address that the provider has not verified could be that of someone else. */
const createProviderUser = async (ctx: Context, user: ProviderUser): Promise<number> => {
  const { username, name, email, emailVerified } = user
  if (email === undefined || !emailVerified)
    throw forbidden('The identity provider has not verified the e-mail address')
  const existing = ctx.db.selectFrom('user').where((eb) => eb(lower('email'), '=', lower(eb.val(email))))
  if ((await existing.select('id').executeTakeFirst()) !== undefined)
    throw conflict('A user with this e-mail address exists: an administrator can link it to the identity provider')
  const problem = signUpEmailProblem(email, await getSettings(ctx))
  if (problem !== undefined) throw invalid({ email: [problem] })
  const free = await findFreeUsername(ctx, username ?? email)
  const created = await createUser(ctx, { username: free, email, name: name?.trim() || free })
  return created.id
}

/** The sign-in of users at the identity provider of the instance. */
export const signInOperations = {
  /**
   * Finds the user of an identity that a provider has confirmed: the linked user, else the account that the provider has created with SCIM in a group
   * whose single sign-on has its name, which is linked now. Users are never found by their e-mail address.
   *
   * @throws PlatformError `forbidden` if no user has the identity, or the e-mail address of a new user is not verified; `conflict` if a user with that
   *   address exists; `invalid` for addresses that cannot sign up
   */
  resolveUser: command({
    on: instance,
    can: 'password.verify',
    serializes: 'instance',
    input: {
      /** Name of the provider. */
      provider: v.pipe(v.string(), v.maxLength(255)),
      /** The provider's id of the user; case-sensitive. */
      externalUid: v.pipe(v.string(), v.maxLength(255)),
      /** Whether an account is created for a user who has none. */
      creates: v.optional(v.boolean(), false),
      /** Username at the provider, for a new account. */
      username: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Display name, for a new account. */
      name: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** E-mail address, for a new account. */
      email: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Whether the provider has verified the e-mail address. */
      emailVerified: v.optional(v.boolean(), false),
    },
    async run(ctx, { creates, ...user }): Promise<SignedInUser> {
      const linked = await findIdentity(ctx, user.provider, user.externalUid)
      if (linked) return { userId: linked.userId }
      const provisioned = await findProvisionedUser(ctx, user)
      if (provisioned === undefined && !creates)
        throw forbidden('No user is linked to this account of the identity provider')
      const userId = provisioned ?? (await createProviderUser(ctx, user))
      await linkIdentity(ctx, userId, user)
      return { userId }
    },
  }),
}
