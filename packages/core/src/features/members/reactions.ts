import { Access } from '../../access/levels.ts'
import { when } from '../../signals.ts'
import { findNamespace } from '../groups/queries.ts'

/**
 * Whoever owns a personal namespace is a maintainer of what is put there: projects in personal namespaces do not report
 * level 50 (specification 1, "Access levels"). Nobody joined, so nobody is told so.
 */
export const personalOwnersBelong = when('project.created', async (ctx, { project }) => {
  const home = await findNamespace(ctx, project.namespaceId)
  if (home?.ownerId == null) return
  await ctx.db
    .insertInto('member')
    .values({
      projectId: project.id,
      groupId: null,
      userId: home.ownerId,
      accessLevel: Access.maintainer,
      expiresAt: null,
      createdAt: ctx.now,
    })
    .execute()
})
