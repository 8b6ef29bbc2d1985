import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { selectOpenFrom } from '../../collaboration/merge-requests/queries.ts'
import type { PushedReference } from './pushed-reference.ts'

const keyBytes = 16

const enqueueCreation = (ctx: Context, push: Omit<PushedReference, 'key'>) =>
  ctx.enqueue('pipelines.createOnPush', { key: Buffer.from(ctx.ports.random.bytes(keyBytes)).toString('hex'), ...push })

/** Pushes with the token of a job create no pipelines, as in GitLab: their jobs could push again without end. */
const isPushOfJob = ({ actor }: Context) => actor.kind === 'user' && actor.job !== undefined

/** Let a job create pipelines of pushed commits and of new merge requests, if the platform is configured so. */
export const pushPipelineReactions: readonly Reaction[] = [
  defineReaction('code.pushed', async (ctx, { projectId, userId, push, cause, pushOptions, volume }) => {
    const { ref, commitFrom: before, commitTo: sha, refType } = push
    if (!ctx.pipelinesOnPush || isPushOfJob(ctx) || ref === null || sha === null) return
    if (cause?.kind === 'mirror' && !cause.createsPipelines) return
    const isTag = refType === 'tag'
    const isSkipped = pushOptions.includes('ci.skip')
    const pushed = { projectId, userId, ref, isTag, before, sha, isSkipped }
    if (volume.createsPipeline) await enqueueCreation(ctx, { ...pushed, mergeRequest: null })
    if (isTag) return
    const open = await selectOpenFrom(ctx, projectId, ref).select(['projectId', 'iid']).execute()
    for (const { projectId: targetProjectId, iid } of open)
      await enqueueCreation(ctx, { ...pushed, targetProjectId, mergeRequest: iid })
  }),
  defineReaction('mergeRequest.opened', async (ctx, { mergeRequest }) => {
    if (!ctx.pipelinesOnPush) return
    const { projectId: targetProjectId, sourceProjectId, iid, sourceBranch: ref, author } = mergeRequest
    const unpushed = { isTag: false, before: null, sha: null, isSkipped: false }
    const projectId = sourceProjectId ?? targetProjectId
    await enqueueCreation(ctx, { projectId, targetProjectId, userId: author.id, ref, ...unpushed, mergeRequest: iid })
  }),
]
