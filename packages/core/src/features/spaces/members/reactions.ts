import { Access } from '../../../access/levels.ts'
import { findNamespace } from '../../../access/namespaces.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { defineReaction } from '../../../kernel/reaction.ts'

/**
 * The owner of a personal namespace becomes a maintainer of its new projects: level 50 does not exist there (specification
 * 1, "Access levels"). Emits no `member.joined`, because the owner does not join by a call.
 */
export const addPersonalOwner = defineReaction('project.created', async (ctx, { project }) => {
  const namespace = await findNamespace(ctx, project.namespaceId)
  if (namespace?.ownerId == null) return
  await ctx.db
    .insertInto('member')
    .values({
      projectId: project.id,
      groupId: null,
      userId: namespace.ownerId,
      accessLevel: Access.maintainer,
      expiresAt: null,
      createdAt: ctx.now,
      updatedAt: null,
      createdById: getUserId(ctx.actor) || null,
      syncedLevel: null,
      overriddenAt: null,
    } satisfies CompleteRow<'member'>)
    .execute()
})
