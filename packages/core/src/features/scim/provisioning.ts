import { Access } from '../../access/levels.ts'
import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, isPlatformError } from '../../kernel/errors.ts'
import type { Subjects } from '../../policy.ts'
import { changeUser, createUser } from '../accounts/account.ts'
import { findUser } from '../accounts/queries.ts'
import type { Group } from '../groups/group.ts'
import { join, leave } from '../members/membership.ts'
import { directMembers, inheritedMembership, memberNamed } from '../members/queries.ts'
import { signUpEmailProblem } from '../settings/domain-list.ts'
import { settingsInForce } from '../settings/queries.ts'
import {
  type IdentityRow,
  identityByUid,
  identityOf,
  linkIdentity,
  refuseTakenUid,
  unlinkIdentity,
} from '../sso/queries.ts'
import type { ScimChange } from './patch.ts'
import { type NewScimUser, readEmail, readExternalUid, readName } from './resource.ts'
import { usernameFrom } from './user-name.ts'
import { freeUsername, usernameStays } from './username-choice.ts'

const membersOf = (group: Group): Subjects['group'] => ({ kind: 'group', group, access: Access.none, seenBelow: false })

/** Whoever is provisioned is at least a guest: not below what they inherit, and never more than that. */
const makeMember = async (ctx: Context, group: Group, userId: number): Promise<void> => {
  const known = await memberNamed(directMembers(ctx, membersOf(group)), userId)
  if (known && !known.stale) return
  const inherited = group.parentId === null ? undefined : await inheritedMembership(ctx, userId, group.parentId)
  const accessLevel = Math.max(Access.guest, inherited?.accessLevel ?? Access.none)
  await join(ctx, membersOf(group), userId, { accessLevel, expiresAt: null })
}

/** Ends the membership, unless the group would be without an owner. */
const endMembership = async (ctx: Context, group: Group, userId: number): Promise<void> => {
  const member = await memberNamed(directMembers(ctx, membersOf(group)), userId)
  if (!member) return
  try {
    await leave(ctx, membersOf(group), member)
  } catch (error) {
    // It is refused before anything is written: the last owner stays a member.
    if (!isPlatformError(error) || error.code !== 'forbidden') throw error
  }
}

/** Ends the link to the provider and the membership; the account stays, and can be linked again. */
export async function deprovision(ctx: Context, group: Group, identity: IdentityRow): Promise<void> {
  await unlinkIdentity(ctx, identity)
  await endMembership(ctx, group, identity.userId)
}

const ownerOfEmail = (ctx: Context, email: string) =>
  ctx.db
    .selectFrom('user')
    .where((eb) => eb(lower('email'), '=', lower(eb.val(email))))
    .select('id')
    .executeTakeFirst()

/** Somebody who was provisioned by this group and is not linked now, under the address that is given. */
const returning = async (ctx: Context, group: Group, email: string): Promise<IdentityRow | undefined> => {
  const holder = await ownerOfEmail(ctx, email)
  if (!holder) return undefined
  const known = await identityOf(ctx, group.id, holder.id)
  if (!known?.provisioned || known.unlinkedAt === null) throw conflict('Email has already been taken')
  return known
}

/** The account of somebody new to the platform: it belongs to this group's provider from then on. */
const addAccount = async (ctx: Context, group: Group, wanted: NewScimUser): Promise<IdentityRow> => {
  const { externalUid: externUid, email, name } = wanted
  // Nobody of this platform vouches for who comes in this way, as an administrator does.
  const problem = signUpEmailProblem(email, await settingsInForce(ctx))
  if (problem !== undefined) throw invalid({ email: [problem] })
  const username = await freeUsername(ctx, wanted.username)
  const { id: userId } = await createUser(ctx, { username, name, email })
  return linkIdentity(ctx, { groupId: group.id, userId, externUid, provisioned: true })
}

/**
 * Makes somebody a user of a group. An external UID that is linked already changes nothing; one that was linked, or the
 * address of somebody whom this group has provisioned, links the same account again.
 *
 * @throws PlatformError `conflict` when the address belongs to anybody else
 */
export async function provision(ctx: Context, group: Group, wanted: NewScimUser): Promise<IdentityRow> {
  const { externalUid: externUid, email, active } = wanted
  const known = await identityByUid(ctx, group.id, externUid)
  if (known?.unlinkedAt === null) {
    await makeMember(ctx, group, known.userId)
    return known
  }
  const former = known ?? (await returning(ctx, group, email))
  if (former && !active) return former
  const identity = former
    ? await linkIdentity(ctx, { groupId: group.id, userId: former.userId, externUid })
    : await addAccount(ctx, group, wanted)
  if (!active) {
    await unlinkIdentity(ctx, identity)
    return { ...identity, unlinkedAt: ctx.now }
  }
  await makeMember(ctx, group, identity.userId)
  return identity
}

/** The profile of somebody whom another group or nobody has provisioned is not the provider's, nor an administrator's. */
const changeProfile = async (ctx: Context, identity: IdentityRow, change: ScimChange): Promise<void> => {
  if (!identity.provisioned) return
  const user = await findUser(ctx, identity.userId)
  if (user.admin) return
  const { name, email, username } = change
  const renamed = username !== undefined && !(await usernameStays(ctx, user.username, username))
  const wanted = {
    ...(name !== undefined && { name: readName(name) }),
    ...(email !== undefined && { email: readEmail(email) }),
    ...(renamed && { username: usernameFrom(username) }),
  }
  if (Object.keys(wanted).length) await changeUser(ctx, user.id, wanted)
}

/** Does what a PATCH asks for: `active: false` goes before everything, then another external UID, then the profile. */
export async function change(ctx: Context, group: Group, identity: IdentityRow, wanted: ScimChange): Promise<void> {
  if (wanted.active === false) return deprovision(ctx, group, identity)
  const externUid = wanted.externalUid === undefined ? identity.externUid : readExternalUid(wanted.externalUid)
  if (externUid.toLowerCase() === identity.externUid.toLowerCase()) return changeProfile(ctx, identity, wanted)
  await refuseTakenUid(ctx, { groupId: group.id, userId: identity.userId, externUid })
  await ctx.db.updateTable('scimIdentity').set({ externUid }).where('id', '=', identity.id).execute()
}
