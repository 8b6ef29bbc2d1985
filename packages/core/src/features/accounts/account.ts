import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { isEmail, isPathSegment } from '../../kernel/text.ts'
import { insertNamespace, personalNamespaceOf, refuseTakenPath } from '../groups/queries.ts'
import { renameBelow } from '../groups/rename.ts'
import { settingsInForce } from '../settings/queries.ts'
import { findUser } from './queries.ts'
import type { User } from './user.ts'

interface Profile {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly admin?: boolean | undefined
  readonly external?: boolean | undefined
  readonly privateProfile?: boolean | undefined
  readonly avatarUrl?: string | null | undefined
}

const refuseBadProfile = (given: { username?: string; name?: string | undefined; email?: string | undefined }) => {
  const problems: Record<string, string[]> = {}
  if (given.username !== undefined && !isPathSegment(given.username)) {
    problems.username = ["can contain only letters, digits, '_', '-' and '.', and cannot start with '-' or '.'"]
  }
  if (given.name?.trim() === '') problems.name = ["can't be blank"]
  if (given.email !== undefined && !isEmail(given.email)) problems.email = ['is invalid']
  if (Object.keys(problems).length) throw invalid(problems)
}

const refuseTaken = async (ctx: Context, column: 'username' | 'email', value: string, own?: number) => {
  const taken = await ctx.db
    .selectFrom('user')
    .where(lower(column), '=', value.toLowerCase())
    .where('id', '!=', own ?? 0)
    .select('id')
    .executeTakeFirst()
  if (taken) throw conflict(`${column === 'email' ? 'Email' : 'Username'} has already been taken`)
}

/**
 * Adds an active user with a personal namespace of the same name. E-mail defaults to an address that reaches nobody.
 *
 * @throws PlatformError `invalid` for a bad profile, `conflict` when the username, its path or the address is taken
 */
export async function createUser(
  ctx: Context,
  { username, name = username, email = `${username}@users.invalid`, ...flags }: Profile & { readonly username: string },
): Promise<User> {
  refuseBadProfile({ username, name, email })
  await refuseTaken(ctx, 'username', username)
  await refuseTaken(ctx, 'email', email)
  const { defaultProjectsLimit: projectsLimit } = await settingsInForce(ctx)
  const [row] = await ctx.db
    .insertInto('user')
    .values({
      username,
      name,
      email,
      state: 'active',
      admin: flags.admin ?? false,
      external: flags.external ?? false,
      privateProfile: flags.privateProfile ?? false,
      avatarUrl: flags.avatarUrl ?? null,
      projectsLimit,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning('id')
    .execute()
  const { id } = row as { id: number }
  await insertNamespace(ctx, { kind: 'user', ownerId: id, name, path: username, visibility: 'public' })
  return findUser(ctx, id)
}

/**
 * Changes a user, and the personal namespace with the name. A new username moves that namespace and all that is in it.
 *
 * @throws PlatformError `invalid` for a bad profile, `conflict` when the username, its path or the address is taken
 */
export async function changeUser(
  ctx: Context,
  id: number,
  { username, ...change }: Profile & { readonly username?: string | undefined },
): Promise<User> {
  refuseBadProfile({ ...change, ...(username !== undefined && { username }) })
  if (change.email !== undefined) await refuseTaken(ctx, 'email', change.email, id)
  if (username !== undefined) await refuseTaken(ctx, 'username', username, id)
  await ctx.db
    .updateTable('user')
    .set({ ...change, ...(username !== undefined && { username }), updatedAt: ctx.now })
    .where('id', '=', id)
    .execute()
  if (change.name !== undefined || username !== undefined) await renameNamespace(ctx, id, change.name, username)
  return findUser(ctx, id)
}

const renameNamespace = async (
  ctx: Context,
  ownerId: number,
  name: string | undefined,
  path: string | undefined,
): Promise<void> => {
  const known = await personalNamespaceOf(ctx, ownerId)
  if (!known) return
  if (path !== undefined && path.toLowerCase() !== known.fullPath.toLowerCase()) await refuseTakenPath(ctx, path)
  await ctx.db.updateTable('namespace').set({ name, path, updatedAt: ctx.now }).where('id', '=', known.id).execute()
  await renameBelow(ctx, known.id)
}
