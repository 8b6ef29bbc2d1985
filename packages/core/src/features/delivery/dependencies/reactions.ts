import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'

const requestScan = (ctx: Context, projectId: number) =>
  ctx.enqueue('dependencies.scan', { projectId }, { key: String(projectId) })

/** Let a job read the lock files of a default branch that has changed. */
export const dependencyReactions: readonly Reaction[] = [
  defineReaction('code.pushed', async (ctx, { projectId, push: { ref, refType, commitTo } }) => {
    if (ctx.tier === 'free' || refType !== 'branch' || ref === null || commitTo === null) return
    const project = ctx.db.selectFrom('project').where('id', '=', projectId).where('defaultBranch', '=', ref)
    if (await project.select('id').executeTakeFirst()) await requestScan(ctx, projectId)
  }),
  defineReaction('project.updated', async (ctx, { before, after }) => {
    if (ctx.tier === 'paid' && before.defaultBranch !== after.defaultBranch) await requestScan(ctx, after.id)
  }),
]
