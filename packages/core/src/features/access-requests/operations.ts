import * as v from 'valibot'
import { Access } from '../../access/levels.ts'
import { container, containerAndUser } from '../../access/subjects.ts'
import { personId } from '../../kernel/actor.ts'
import { refuseModified } from '../../kernel/call.ts'
import { invalid } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { join } from '../members/membership.ts'
import { ownerOf, toMember } from '../members/queries.ts'
import { settingsInForce } from '../settings/queries.ts'
import type { AccessRequest, ApprovedRequest } from './access-request.ts'
import { findRequest, requests, toAccessRequest } from './queries.ts'

export const accessRequests = {
  /** Who asks for access, in the order in which they asked. */
  list: query({
    on: container,
    can: 'accessRequest.manage',
    input: paging,
    run: async (ctx, at, subject) => paginate(requests(ctx, subject), at, toAccessRequest(await settingsInForce(ctx))),
  }),

  /** Asks for access in the caller's own name. */
  create: command({
    on: container,
    can: 'accessRequest.create',
    async run(ctx, _input, subject): Promise<AccessRequest> {
      const owner = ownerOf(subject)
      const userId = personId(ctx.actor)
      const known = await requests(ctx, subject).where('user.id', '=', userId).executeTakeFirst()
      if (known) throw invalid({ userId: ['already exists in source'] })
      await ctx.db
        .insertInto('accessRequest')
        .values({ ...owner, userId, createdAt: ctx.now })
        .execute()
      await ctx.emit('accessRequest.opened', { ...owner, userId })
      return toAccessRequest(await settingsInForce(ctx))(await findRequest(ctx, subject, userId))
    },
  }),

  /** Makes somebody who asked a member, under the same rules as adding one. That ends the request. */
  approve: command({
    on: container,
    can: 'accessRequest.manage',
    input: { user: Reference, accessLevel: v.optional(Id, Access.developer) },
    async run(ctx, { user, accessLevel }, subject): Promise<ApprovedRequest> {
      const { id, createdAt } = await findRequest(ctx, subject, user)
      const member = await join(ctx, subject, id, { accessLevel, expiresAt: null })
      return { ...toMember(await settingsInForce(ctx))(member), createdAt }
    },
  }),

  /** Denies somebody's request, or withdraws one's own. */
  remove: command({
    on: containerAndUser,
    can: 'accessRequest.end',
    input: { user: Reference },
    async run(ctx, { user }, subject) {
      const { requestId, id: userId, createdAt } = await findRequest(ctx, subject, user)
      refuseModified(ctx, createdAt)
      await ctx.db.deleteFrom('accessRequest').where('id', '=', requestId).execute()
      const withdrawn = userId === personId(ctx.actor)
      await ctx.emit('accessRequest.ended', { ...ownerOf(subject), userId, withdrawn })
    },
  }),
}
