import * as v from 'valibot'
import { Access } from '../../access/levels.ts'
import { container, containerAndUser } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { getUserId } from '../../kernel/actor.ts'
import { assertUnmodified } from '../../kernel/assert-unmodified.ts'
import { invalid } from '../../kernel/errors.ts'
import { Id, IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { addMember } from '../members/mutations.ts'
import { containerKey, toMember } from '../members/queries.ts'
import { getSettings } from '../settings/queries.ts'
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

  /** Requests access for the caller. */
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

  /** Approves a request: adds the user as a member under the rules of `members.add`, and closes the request. */
  approve: command({
    on: container,
    can: 'accessRequest.manage',
    serializes: 'instance',
    input: { user: IdOrName, accessLevel: v.optional(Id, Access.developer) },
    async run(ctx, { user, accessLevel }, subject): Promise<ApprovedRequest> {
      const { id, createdAt } = await findAccessRequest(ctx, subject, user)
      const member = await addMember(ctx, subject, id, { accessLevel, expiresAt: null })
      return { ...toMember(await getSettings(ctx))(member), createdAt }
    },
  }),

  /** Denies a request, or withdraws the caller's own. */
  remove: command({
    on: containerAndUser,
    can: 'accessRequest.end',
    input: { user: IdOrName },
    async run(ctx, { user }, subject) {
      const { requestId, id: userId, createdAt } = await findAccessRequest(ctx, subject, user)
      assertUnmodified(ctx, createdAt)
      await ctx.db.deleteFrom('accessRequest').where('id', '=', requestId).execute()
      const withdrawn = userId === getUserId(ctx.actor)
      await ctx.emit('accessRequest.ended', { ...containerKey(subject), userId, withdrawn })
    },
  }),
}
