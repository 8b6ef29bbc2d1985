import { findPersonalNamespace } from '../../../access/namespaces.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { lower } from '../../../db/functions.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import { isEmail, isPathSegment } from '../../../shared/text.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { AvatarChange } from '../avatars/avatar.ts'
import { setAvatar } from '../avatars/mutations.ts'
import { assertPathAvailable, insertNamespace } from '../namespaces/insert-namespace.ts'
import { updateDescendantPaths } from '../namespaces/rename.ts'
import { toInitialFlags } from './initial-flags.ts'
import { findUser } from './queries.ts'
import type { User } from './user.ts'

interface UserProfileInput {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly admin?: boolean | undefined
  readonly external?: boolean | undefined
  readonly privateProfile?: boolean | undefined
  readonly bot?: boolean | undefined
  readonly pendingApproval?: boolean | undefined
  readonly avatarUrl?: string | null | undefined
  readonly avatar?: AvatarChange
}

const assertValidProfile = (input: { username?: string; name?: string | undefined; email?: string | undefined }) => {
  const problems: Record<string, string[]> = {}
  if (input.username !== undefined && !isPathSegment(input.username)) {
    problems.username = ["can contain only letters, digits, '_', '-' and '.', and cannot start with '-' or '.'"]
  }
  if (input.name?.trim() === '') problems.name = ["can't be blank"]
  if (input.email !== undefined && !isEmail(input.email)) problems.email = ['is invalid']
  if (Object.keys(problems).length) throw invalid(problems)
}

const assertUnique = async (ctx: Context, column: 'username' | 'email', value: string, ownId = 0) => {
  const taken = await ctx.db
    .selectFrom('user')
    .where(lower(column), '=', value.toLowerCase())
    .where('id', '!=', ownId)
    .select('id')
    .executeTakeFirst()
  if (taken) throw conflict(`${column === 'email' ? 'Email' : 'Username'} has already been taken`)
}

/**
 * Creates an active user with a personal namespace of the same name. The e-mail defaults to an undeliverable address.
 *
 * @throws PlatformError `invalid` for an invalid profile, `conflict` when the username, its path or the e-mail is taken
 */
export async function createUser(
  ctx: Context,
  { username, name = username, email: givenEmail, ...flags }: UserProfileInput & { readonly username: string },
): Promise<User> {
  assertValidProfile({ username, name, email: givenEmail })
  const email = givenEmail ?? `${username}@users.invalid`
  // Too long with a long user name.
  assertValidProfile({ email })
  await assertUnique(ctx, 'username', username)
  await assertUnique(ctx, 'email', email)
  const initial = toInitialFlags({ ...flags, email }, await getSettings(ctx))
  const { id } = await ctx.db
    .insertInto('user')
    .values({
      username,
      name,
      email,
      state: flags.pendingApproval ? 'blocked_pending_approval' : 'active',
      avatarUrl: flags.avatarUrl ?? null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      bio: '',
      location: '',
      publicEmail: '',
      skype: '',
      linkedin: '',
      twitter: '',
      websiteUrl: '',
      organization: '',
      jobTitle: '',
      pronouns: '',
      discord: '',
      github: '',
      note: '',
      commitEmail: null,
      createdById: getUserId(ctx.actor) || null,
      lastSignInAt: null,
      currentSignInAt: null,
      lastSignInIp: null,
      currentSignInIp: null,
      confirmedAt: null,
      lastActivityOn: null,
      themeId: 1,
      colorSchemeId: 1,
      ...initial,
      twoFactorEnabled: false,
      sharedRunnersMinutesLimit: null,
      extraSharedRunnersMinutesLimit: null,
      viewDiffsFileByFile: false,
      showWhitespaceInDiffs: true,
      passUserIdentitiesToCiJwt: false,
    } satisfies CompleteRow<'user'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertNamespace(ctx, { kind: 'user', ownerId: id, name, path: username, visibility: 'public' })
  await setAvatar(ctx, 'user', id, flags.avatar)
  const user = await findUser(ctx, id)
  await ctx.emit('user.created', { user })
  return user
}

/**
 * Updates a user. A new name renames the personal namespace; a new username moves it with its projects.
 *
 * @throws PlatformError `invalid` for an invalid profile, `conflict` when the username, its path or the e-mail is taken
 */
export async function updateUser(
  ctx: Context,
  id: number,
  {
    username,
    avatar,
    ...change
  }: Omit<UserProfileInput, 'pendingApproval'> & { readonly username?: string | undefined },
): Promise<User> {
  assertValidProfile({ ...change, ...(username !== undefined && { username }) })
  if (change.email !== undefined) await assertUnique(ctx, 'email', change.email, id)
  if (username !== undefined) await assertUnique(ctx, 'username', username, id)
  const before = await findUser(ctx, id)
  await updateChanged(ctx, 'user', id, { ...change, username })
  await setAvatar(ctx, 'user', id, avatar)
  if (change.email !== undefined && change.email !== before.email)
    await ctx.emit('user.emailConfirmed', { userId: id, email: change.email })
  if (change.name !== undefined || username !== undefined) await renamePersonalNamespace(ctx, id, change.name, username)
  const user = await findUser(ctx, id)
  const { username: oldUsername } = before
  if (user.username !== oldUsername) await ctx.emit('user.renamed', { user, oldUsername })
  return user
}

const renamePersonalNamespace = async (
  ctx: Context,
  ownerId: number,
  name: string | undefined,
  path: string | undefined,
): Promise<void> => {
  const namespace = await findPersonalNamespace(ctx, ownerId)
  if (!namespace) return
  const { id, fullPath } = namespace
  if (path !== undefined && path.toLowerCase() !== fullPath.toLowerCase()) await assertPathAvailable(ctx, path)
  if (await updateChanged(ctx, 'namespace', id, { name, path })) await updateDescendantPaths(ctx, id)
}
