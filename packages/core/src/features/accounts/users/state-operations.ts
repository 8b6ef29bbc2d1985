import { instance, userEntries } from '../../../access/subjects.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, forbidden, invalid } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import { findUser } from './queries.ts'
import { removeUser } from './remove-user.ts'
import type { UserState } from './user.ts'

/** @throws PlatformError `forbidden` if the user is in a state that `from` does not contain */
const setState = async (
  ctx: Context,
  ref: number | string,
  { from, to: state }: { readonly from: readonly UserState[]; readonly to: UserState },
) => {
  const { id, state: current } = await findUser(ctx, ref)
  // Also keeps the last administrator: no one else could unblock them.
  if (ctx.actor.kind === 'user' && ctx.actor.id === id) throw forbidden('Administrators cannot block themselves')
  if (current !== state && !from.includes(current)) throw forbidden(`The user is ${current}`)
  await updateChanged(ctx, 'user', id, { state })
  return findUser(ctx, id)
}

export const userStates = {
  /**
   * Blocks a user: from now on, all calls of the user fail with `forbidden`. Tokens and memberships remain. Administrators cannot block,
   * ban or deactivate themselves.
   */
  block: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) =>
      setState(ctx, user, { from: ['active', 'deactivated', 'blocked_pending_approval'], to: 'blocked' }),
  }),

  /** Unblocks a user, who can call the platform again. Fails with `forbidden` for a banned or deactivated user. */
  unblock: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['blocked'], to: 'active' }),
  }),

  /** Bans an active user: like `block`, and shown as `banned`. Fails with `forbidden` for a user who is not active. */
  ban: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['active'], to: 'banned' }),
  }),

  /** Ends the ban of a user. Fails with `forbidden` for a blocked or deactivated user. */
  unban: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['banned'], to: 'active' }),
  }),

  /** Deactivates an active user: like `block`, and shown as `deactivated`. Fails with `forbidden` for others. */
  deactivate: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['active'], to: 'deactivated' }),
  }),

  /**
   * Records that a user signs in without a second factor, which the host's sign-in then resets; for administrators. Fails with
   * `forbidden` for administrators, also for the current user, and with `invalid` for a user without a second factor.
   */
  disableTwoFactor: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    async run(ctx, { user }): Promise<void> {
      const { id, admin } = await findUser(ctx, user)
      if (admin) throw forbidden('Administrators change their own second factor')
      if (!(await updateChanged(ctx, 'user', id, { twoFactorEnabled: false })))
        throw invalid('Two-factor authentication is not enabled for this user')
    },
  }),

  /**
   * Approves a user who waits for it, and who can call the platform from now on. Fails with `conflict` for an active or deactivated
   * user, and with `forbidden` for a blocked or banned one.
   */
  approve: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    async run(ctx, { user }) {
      const { state } = await findUser(ctx, user)
      if (state === 'active' || state === 'deactivated')
        throw conflict('The user you are trying to approve is not pending approval')
      const approved = await setState(ctx, user, { from: ['blocked_pending_approval'], to: 'active' })
      await ctx.emit('user.reviewed', { user: approved, isApproved: true })
      return approved
    },
  }),

  /** Rejects a user who waits for an approval: removes the account. Fails with `conflict` for other users. */
  reject: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    async run(ctx, { user }): Promise<void> {
      const rejected = await findUser(ctx, user)
      if (rejected.state !== 'blocked_pending_approval') throw conflict('User does not have a pending request')
      await ctx.emit('user.reviewed', { user: rejected, isApproved: false })
      await removeUser(ctx, rejected, true)
    },
  }),

  /** Activates a deactivated user. Fails with `forbidden` for a blocked or banned user. */
  activate: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    run: (ctx, { user }) => setState(ctx, user, { from: ['deactivated'], to: 'active' }),
  }),
}
