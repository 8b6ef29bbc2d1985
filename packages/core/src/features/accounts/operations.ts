import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { isEmail, isPathSegment } from '../../kernel/text.ts'
import { insertNamespace } from '../groups/queries.ts'
import { findUser, toUser, users as userRows } from './queries.ts'
import type { User } from './user.ts'

const profile = {
  name: v.optional(v.string()),
  email: v.optional(v.string()),
  admin: v.optional(v.boolean()),
  external: v.optional(v.boolean()),
  privateProfile: v.optional(v.boolean()),
  avatarUrl: v.optional(v.nullable(v.string())),
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

const setState = async (ctx: Context, ref: number | string, state: User['state']) => {
  const { id } = await findUser(ctx, ref)
  await ctx.db.updateTable('user').set({ state, updatedAt: ctx.now }).where('id', '=', id).execute()
  return findUser(ctx, id)
}

export const users = {
  /** All users, by id; with `username`, the one of that name. */
  list: query({
    on: instance,
    can: 'user.manage',
    input: { ...paging, username: v.optional(v.string()) },
    run(ctx, { username, ...at }) {
      const rows = userRows(ctx).orderBy('id')
      return paginate(
        username === undefined ? rows : rows.where(lower('username'), '=', username.toLowerCase()),
        at,
        toUser,
      )
    },
  }),

  /** One user, by id or username. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    run: (ctx, { user }) => findUser(ctx, user),
  }),

  /** The caller. */
  current: query({
    on: instance,
    can: 'user.current',
    scopes: ['read_user'],
    run: (ctx) => findUser(ctx, ctx.actor.kind === 'user' ? ctx.actor.id : 0),
  }),

  /** Adds an active user with a personal namespace of the same name. E-mail defaults to an address that reaches nobody. */
  create: command({
    on: instance,
    can: 'user.manage',
    input: { username: v.string(), ...profile },
    async run(ctx, { username, name = username, email = `${username}@users.invalid`, ...flags }) {
      refuseBadProfile({ username, name, email })
      await refuseTaken(ctx, 'username', username)
      await refuseTaken(ctx, 'email', email)
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
          createdAt: ctx.now,
          updatedAt: ctx.now,
        })
        .returning('id')
        .execute()
      const { id } = row as { id: number }
      await insertNamespace(ctx, { kind: 'user', ownerId: id, name, path: username, visibility: 'public' })
      return findUser(ctx, id)
    },
  }),

  /** Changes a user's name, address or standing. */
  update: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference, ...profile },
    async run(ctx, { user, ...change }) {
      const { id } = await findUser(ctx, user)
      refuseBadProfile(change)
      if (change.email !== undefined) await refuseTaken(ctx, 'email', change.email, id)
      await ctx.db
        .updateTable('user')
        .set({ ...change, updatedAt: ctx.now })
        .where('id', '=', id)
        .execute()
      if (change.name !== undefined) {
        await ctx.db
          .updateTable('namespace')
          .set({ name: change.name, fullName: change.name, updatedAt: ctx.now })
          .where('ownerId', '=', id)
          .execute()
      }
      return findUser(ctx, id)
    },
  }),

  /** Shuts a user out: from now on every call of theirs is refused. */
  block: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    run: (ctx, { user }) => setState(ctx, user, 'blocked'),
  }),

  /** Lets a blocked user in again. */
  unblock: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    run: (ctx, { user }) => setState(ctx, user, 'active'),
  }),
}
