import * as v from 'valibot'
import { Access } from '../../../access/levels.ts'
import { container, containerAndUser, userEntries } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { invalid } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { defined } from '../../../shared/defined.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { addMember } from '../members/mutations.ts'
import { containerKey, toMembers } from '../members/queries.ts'
import type { AccessRequest, ApprovedRequest } from './access-request.ts'
import { findAccessRequest, selectAccessRequests, toAccessRequest } from './queries.ts'

export const accessRequests = {
  /** Lists the access requests of a project or group, oldest first. */
  list: query({
    on: container,
    can: 'accessRequest.manage',
    input: pagingEntries,
    run: async (ctx, at, subject) =>
      paginate(selectAccessRequests(ctx, subject), at, toAccessRequest(await getSettings(ctx))),
  }),

  /**
   * Requests access to a project or group for the current user, who must not be a member. Private ones accept no requests.
   *
   * @throws PlatformError `invalid` if the current user has already requested access
   */
  create: command({
    on: container,
    can: 'accessRequest.create',
    async run(ctx, _input, subject): Promise<AccessRequest> {
      const owner = containerKey(subject)
      const userId = getUserId(ctx.actor)
      const existing = await selectAccessRequests(ctx, subject).where('user.id', '=', userId).executeTakeFirst()
      if (existing) throw invalid({ userId: ['already exists in source'] })
      await ctx.db
        .insertInto('accessRequest')
        .values({ ...owner, userId, createdAt: ctx.now } satisfies CompleteRow<'accessRequest'>)
        .execute()
      await ctx.emit('accessRequest.opened', { ...owner, userId })
      return toAccessRequest(await getSettings(ctx))(await findAccessRequest(ctx, subject, userId))
    },
  }),

  /**
   * Approves a request: adds the user as a direct member who does not expire, and removes the request.
   *
   * @throws PlatformError `invalid` for a level that does not exist there, that is above that of the current user, or that is below
   * one inherited from a group above
   */
  approve: command({
    on: container,
    can: 'accessRequest.manage',
    serializes: 'instance',
    input: {
      ...userEntries,
      /**
       * Level of the new member, at most that of the current user: 10 guest, 20 reporter, 30 developer (default), 40 maintainer,
       * 50 owner (groups only).
       */
      accessLevel: v.optional(Id, Access.developer),
    },
    async run(ctx, { user, accessLevel }, subject): Promise<ApprovedRequest> {
      const { id, createdAt } = await findAccessRequest(ctx, subject, user)
      const member = await addMember(ctx, subject, id, { accessLevel, expiresAt: null })
      const [added] = await toMembers(ctx, [member])
      return { ...defined(added), createdAt }
    },
  }),

  /** Removes a request: managers of the project or group deny it, its author withdraws it. */
  remove: command({
    on: containerAndUser,
    can: 'accessRequest.end',
    input: userEntries,
    async run(ctx, { user }, subject) {
      const { requestId, id: userId, createdAt } = await findAccessRequest(ctx, subject, user)
      assertUnmodified(ctx, createdAt)
      await ctx.db.deleteFrom('accessRequest').where('id', '=', requestId).execute()
      const withdrawn = userId === getUserId(ctx.actor)
      await ctx.emit('accessRequest.ended', { ...containerKey(subject), userId, withdrawn })
    },
  }),
}
