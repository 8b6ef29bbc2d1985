import { Access } from '../../../access/levels.ts'
import type { Group } from '../../../contract/namespace.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, isPlatformError } from '../../../kernel/errors.ts'
import { createUser, updateUser } from '../../accounts/users/mutations.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { signUpEmailProblem } from '../../administration/settings/domain-list.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { addMember, removeMember } from '../members/mutations.ts'
import { directMembers, findInheritedMembership, findMemberByUser } from '../members/queries.ts'
import {
  assertUidAvailable,
  findIdentity,
  findIdentityByUid,
  type IdentityRow,
  linkIdentity,
  unlinkIdentity,
} from '../sso/queries.ts'
import { findFreeUsername, isUsernameCurrent } from './free-username.ts'
import { scimError } from './scim-error.ts'
import type { ScimAttributes } from './user-resource.ts'
import { toUsername } from './username.ts'

const toGroupSubject = (group: Group): Subjects['group'] => ({
  kind: 'group',
  group,
  access: Access.none,
  hasVisibleProject: false,
})

/** Adds a missing direct membership at the inherited access level, at least as guest. */
const ensureMember = async (ctx: Context, group: Group, userId: number): Promise<void> => {
  const member = await findMemberByUser(directMembers(ctx, toGroupSubject(group)), userId)
  if (member && !member.stale) return
  const inherited = group.parentId === null ? undefined : await findInheritedMembership(ctx, userId, group.parentId)
  const accessLevel = Math.max(Access.guest, inherited?.accessLevel ?? Access.none)
  await addMember(ctx, toGroupSubject(group), userId, { accessLevel, expiresAt: null })
}

/** Ends the membership, unless the user is the last owner of the group. */
const endMembership = async (ctx: Context, group: Group, userId: number): Promise<void> => {
  const member = await findMemberByUser(directMembers(ctx, toGroupSubject(group)), userId)
  if (!member) return
  try {
    await removeMember(ctx, toGroupSubject(group), member)
  } catch (error) {
    // `forbidden`: the user is the last owner and stays a member. The error is thrown before any write.
    if (!isPlatformError(error) || error.code !== 'forbidden') throw error
  }
}

/** Unlinks the identity and ends the membership. The account stays and can be linked again. */
export async function deprovision(ctx: Context, group: Group, identity: IdentityRow): Promise<void> {
  await unlinkIdentity(ctx, identity)
  await endMembership(ctx, group, identity.userId)
}

const findUserByEmail = (ctx: Context, email: string) =>
  ctx.db
    .selectFrom('user')
    .where((eb) => eb(lower('email'), '=', lower(eb.val(email))))
    .select('id')
    .executeTakeFirst()

/**
 * The unlinked identity of the user with this e-mail address, if the group provisioned that user.
 *
 * @throws PlatformError `conflict` when the address belongs to any other user
 */
const findFormerIdentity = async (ctx: Context, group: Group, email: string): Promise<IdentityRow | undefined> => {
  const user = await findUserByEmail(ctx, email)
  if (!user) return undefined
  const identity = await findIdentity(ctx, group.id, user.id)
  if (!identity?.provisioned || identity.unlinkedAt === null) throw conflict('Email has already been taken')
  return identity
}

/** Creates an account and links it to the group; the group's provider manages its profile. */
const createAccount = async (ctx: Context, group: Group, newUser: ScimAttributes): Promise<IdentityRow> => {
  const { externalUid: externUid, email, name, givenName, familyName } = newUser
  // Sign-up rules apply: unlike `users.create`, no administrator of the platform has approved this account.
  const problem = signUpEmailProblem(email, await getSettings(ctx))
  if (problem !== undefined) throw invalid({ email: [problem] })
  const username = await findFreeUsername(ctx, newUser.username)
  const { id: userId } = await createUser(ctx, { username, name, email })
  return linkIdentity(ctx, { groupId: group.id, userId, externUid, provisioned: true, givenName, familyName })
}

/**
 * Creates or links a user of a group. For an external UID that is linked, it only restores a missing membership. It
 * links the existing account again when the external UID was linked before or the e-mail address belongs to a user
 * provisioned by the group.
 *
 * @throws PlatformError `conflict` when the e-mail address belongs to any other user
 */
export async function provision(ctx: Context, group: Group, newUser: ScimAttributes): Promise<IdentityRow> {
  const { externalUid: externUid, email, active } = newUser
  const existing = await findIdentityByUid(ctx, group.id, externUid)
  if (existing?.unlinkedAt === null) {
    await ensureMember(ctx, group, existing.userId)
    return existing
  }
  const former = existing ?? (await findFormerIdentity(ctx, group, email))
  if (former && !active) return former
  const identity = former
    ? await linkIdentity(ctx, { groupId: group.id, userId: former.userId, externUid })
    : await createAccount(ctx, group, newUser)
  if (!active) {
    await unlinkIdentity(ctx, identity)
    return { ...identity, unlinkedAt: ctx.now }
  }
  await ensureMember(ctx, group, identity.userId)
  return identity
}

/** The current attributes of a linked user. */
export async function findAttributes(ctx: Context, identity: IdentityRow): Promise<ScimAttributes> {
  const { externUid: externalUid, givenName, familyName, unlinkedAt } = identity
  const { username, name, email } = await findUser(ctx, identity.userId)
  return { externalUid, username, name, givenName, familyName, email, active: unlinkedAt === null }
}

/**
 * Changes the profile of a user whom the group provisioned and who is no administrator. The profile of other users is
 * read-only for the provider.
 *
 * @param onReadOnly receives a change of a read-only profile
 */
const updateProfile = async (
  ctx: Context,
  identity: IdentityRow,
  { username, name, email, givenName, familyName }: ScimAttributes,
  onReadOnly: () => void,
): Promise<void> => {
  const user = await findUser(ctx, identity.userId)
  const isRenamed = username !== user.username && !(await isUsernameCurrent(ctx, user.username, username))
  const fields = {
    ...(name !== user.name && { name }),
    ...(email !== user.email && { email }),
    ...(isRenamed && { username: toUsername(username) }),
  }
  const isProfileChanged = Object.keys(fields).length > 0
  if (!identity.provisioned || user.admin) {
    if (isProfileChanged) onReadOnly()
    return
  }
  if (isProfileChanged) await updateUser(ctx, user.id, fields)
  await ctx.db.updateTable('scimIdentity').set({ givenName, familyName }).where('id', '=', identity.id).execute()
}

const updateExternalUid = async (ctx: Context, { id, groupId, userId }: IdentityRow, externUid: string) => {
  await assertUidAvailable(ctx, { groupId, userId, externUid })
  await ctx.db.updateTable('scimIdentity').set({ externUid }).where('id', '=', id).execute()
}

/**
 * Changes a linked user to the given attributes. `active: false` also unlinks the user.
 *
 * @param onReadOnly receives a change of a read-only profile, which is not applied
 */
const update = async (
  ctx: Context,
  group: Group,
  identity: IdentityRow,
  attributes: ScimAttributes,
  onReadOnly: () => void,
): Promise<void> => {
  const { externalUid, active } = attributes
  await updateProfile(ctx, identity, attributes, onReadOnly)
  if (externalUid !== identity.externUid) await updateExternalUid(ctx, identity, externalUid)
  if (!active) await deprovision(ctx, group, identity)
}

/**
 * Applies the attributes that a PATCH resulted in.
 *
 * @throws PlatformError `invalid_input` with reason `mutability` when it changes a read-only profile
 */
export const applyPatch = (
  ctx: Context,
  group: Group,
  identity: IdentityRow,
  attributes: ScimAttributes,
): Promise<void> =>
  update(ctx, group, identity, attributes, () => {
    const detail = 'The profile is read-only: the group did not provision this user, or the user is an administrator'
    throw scimError('mutability', detail)
  })

/** Replaces the attributes of a user, except read-only ones, which a PUT ignores (RFC 7644 section 3.5.1). */
export const replace = (ctx: Context, group: Group, identity: IdentityRow, attributes: ScimAttributes): Promise<void> =>
  update(ctx, group, identity, attributes, () => undefined)
