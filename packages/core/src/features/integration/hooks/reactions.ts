import { findNamespace } from '../../../access/namespaces.ts'
import type { Project } from '../../../contract/project.ts'
import type { Signals } from '../../../contract/signals.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { ghostEmail } from '../../accounts/users/user.ts'
import type { MergeRequest } from '../../collaboration/merge-requests/merge-request.ts'
import { completeMergeRequests, mergeRequestColumns } from '../../collaboration/merge-requests/queries.ts'
import type { Issue } from '../../planning/issues/issue.ts'
import { matchesBranch } from './branch-filter.ts'
import { dispatch, dispatchOfProject, dispatchToSystem, findGroupOwners } from './dispatch.ts'
import type { PayloadContext } from './payloads/common.ts'
import { buildDeploymentEvent } from './payloads/deployment.ts'
import { buildEmojiEvent, findAwardedItem } from './payloads/emoji.ts'
import { buildFeatureFlagEvent } from './payloads/feature-flag.ts'
import { buildIssueEvent } from './payloads/issue.ts'
import { buildMergeRequestEvent } from './payloads/merge-request.ts'
import { buildMilestoneEvent } from './payloads/milestone.ts'
import { buildCommitNoteEvent, buildNoteEvent } from './payloads/note.ts'
import { buildJobEvent, buildPipelineEvent } from './payloads/pipeline.ts'
import { buildPushEvent, buildRepositoryUpdate } from './payloads/push.ts'
import { buildReleaseEvent } from './payloads/release.ts'
import {
  buildGroupEvent,
  buildKeyEvent,
  buildProjectEvent,
  buildSubgroupEvent,
  buildUserEvent,
} from './payloads/system.ts'
import { buildWikiPageEvent } from './payloads/wiki.ts'

type IssueAction = Parameters<typeof buildIssueEvent>[2]['action']

const dispatchIssue = (ctx: Context, action: IssueAction, issue: Issue, before?: Issue) =>
  dispatchOfProject(ctx, issue.projectId, (project) => [
    {
      kind: issue.confidential ? 'confidentialIssue' : 'issue',
      build: (payload) => buildIssueEvent(payload, project, { action, issue, ...(before && { before }) }),
    },
  ])

const dispatchMergeRequest = (
  ctx: Context,
  mergeRequest: MergeRequest,
  event: Omit<Parameters<typeof buildMergeRequestEvent>[2], 'mergeRequest'>,
) =>
  dispatchOfProject(ctx, mergeRequest.projectId, (project) => [
    { kind: 'mergeRequest', build: (payload) => buildMergeRequestEvent(payload, project, { ...event, mergeRequest }) },
  ])

const dispatchReview = (
  ctx: Context,
  action: Parameters<typeof buildMergeRequestEvent>[2]['action'],
  change: Signals['mergeRequest.approvalAdded'] | Signals['mergeRequest.reviewChanged'],
) => {
  const { mergeRequestId, projectId, userId } = change
  const event = { action, userId, ...('reviewerId' in change && { review: change }) }
  return dispatchOfProject(ctx, projectId, (project) => [
    {
      kind: 'mergeRequest',
      async build(payload) {
        const rows = ctx.db.selectFrom('mergeRequest').where('id', '=', mergeRequestId).select(mergeRequestColumns)
        const [mergeRequest] = await completeMergeRequests(ctx, await rows.execute())
        return mergeRequest && buildMergeRequestEvent(payload, project, { ...event, mergeRequest })
      },
    },
  ])
}

const dispatchNote = async (
  ctx: Context,
  action: 'create' | 'update',
  { note, target }: Pick<Signals['note.created'], 'note' | 'target'>,
) => {
  if (target.projectId === null) return
  await dispatchOfProject(ctx, target.projectId, (project) => [
    {
      kind: note.confidential ? 'confidentialNote' : 'note',
      build: (payload) => buildNoteEvent(payload, project, { action, note, target }),
    },
  ])
}

const dispatchCommitNote = (ctx: Context, action: 'create' | 'update', { comment }: Signals['commitComment.created']) =>
  dispatchOfProject(ctx, comment.projectId, (project) => [
    { kind: 'note', build: (payload) => buildCommitNoteEvent(payload, project, action, comment) },
  ])

/** The push itself, for hooks with a branch filter that matches. */
const dispatchPush = (ctx: Context, { projectId, ...event }: Signals['code.pushed']) =>
  dispatchOfProject(ctx, projectId, (project) => [
    {
      kind: event.push.refType === 'tag' ? 'tagPush' : 'push',
      accepts: (hook) => event.push.refType === 'tag' || matchesBranch(hook, event.push.ref),
      build: (payload) => buildPushEvent(payload, project, event),
    },
    {
      kind: 'repositoryUpdate',
      build: (payload) => buildRepositoryUpdate(payload, project, event),
    },
  ])

/** The open merge requests with new commits in their source branch. */
const dispatchPushedMergeRequests = async (ctx: Context, { projectId, push }: Signals['code.pushed']) => {
  const { commitFrom: previousSha, commitTo: sha } = push
  if (push.refType !== 'branch' || previousSha === null || sha === null) return
  const records = await ctx.db
    .selectFrom('mergeRequest')
    .where('sourceProjectId', '=', projectId)
    .where('sourceBranch', '=', push.ref)
    .where('state', '=', 'opened')
    .orderBy('id')
    .select(mergeRequestColumns)
    .execute()
  if (!records.length) return
  for (const mergeRequest of await completeMergeRequests(ctx, records))
    await dispatchMergeRequest(ctx, mergeRequest, { action: 'update', previousSha, sha })
}

const dispatchProjectChange = async (ctx: Context, { before, after }: Signals['project.updated']) => {
  const isTransfer = before.namespaceId !== after.namespaceId
  const isRename = !isTransfer && before.path !== after.path
  const eventName = isTransfer ? 'project_transfer' : isRename ? 'project_rename' : 'project_update'
  await dispatchToSystem(ctx, (payload) =>
    buildProjectEvent(payload, eventName, after, isTransfer || isRename ? before.fullPath : undefined),
  )
}

/** A new or removed group, for system hooks and, if it is a subgroup, for the hooks of the groups above it. */
const dispatchGroup = async (ctx: Context, action: 'create' | 'destroy', groupId: number) => {
  const group = await findNamespace(ctx, groupId)
  if (!group) return
  await dispatchToSystem(ctx, () => buildGroupEvent(`group_${action}`, group))
  const parent = group.parentId === null ? undefined : await findNamespace(ctx, group.parentId)
  if (!parent || group.importerId !== null) return
  const owners = await findGroupOwners(ctx, parent.id)
  await dispatch(ctx, owners, [
    { kind: 'subgroup', build: () => buildSubgroupEvent(`subgroup_${action}`, group, parent) },
  ])
}

const dispatchRelease = (
  ctx: Context,
  action: Parameters<typeof buildReleaseEvent>[2],
  { release }: Signals['release.created'],
) =>
  dispatchOfProject(ctx, release.projectId, (project) => [
    { kind: 'release', build: (payload) => buildReleaseEvent(payload, project, action, release) },
  ])

const dispatchWikiPage = (
  ctx: Context,
  action: Parameters<typeof buildWikiPageEvent>[2],
  { projectId, page }: Signals['wikiPage.created'],
) =>
  dispatchOfProject(ctx, projectId, (project) => [
    { kind: 'wikiPage', build: (payload) => buildWikiPageEvent(payload, project, action, page) },
  ])

/** Emoji of snippets without a project and of epics belong to no project, and are not sent. */
const dispatchEmoji = async (ctx: Context, action: 'award' | 'revoke', event: Signals['emoji.awarded']) => {
  const item = await findAwardedItem(ctx, event)
  if (item?.projectId == null) return
  await dispatchOfProject(ctx, item.projectId, (project) => [
    { kind: 'emoji', build: (payload) => buildEmojiEvent(payload, project, { action, award: event, item }) },
  ])
}

const dispatchMilestone = async (
  ctx: Context,
  action: Parameters<typeof buildMilestoneEvent>[2],
  { milestone }: Signals['milestone.opened'],
) => {
  const events = (project: Project | null) => [
    {
      kind: 'milestone' as const,
      build: (payload: PayloadContext) => buildMilestoneEvent(payload, project, action, milestone),
    },
  ]
  if (milestone.projectId !== null) await dispatchOfProject(ctx, milestone.projectId, events)
  else if (milestone.groupId !== null) await dispatch(ctx, await findGroupOwners(ctx, milestone.groupId), events(null))
}

/** Write the events of webhooks. */
export const hookReactions: readonly Reaction[] = [
  defineReaction('issue.opened', (ctx, { issue }) => dispatchIssue(ctx, 'open', issue)),
  defineReaction('issue.updated', (ctx, { before, after }) => dispatchIssue(ctx, 'update', after, before)),
  defineReaction('issue.closed', (ctx, { issue }) => dispatchIssue(ctx, 'close', issue)),
  defineReaction('issue.reopened', (ctx, { issue }) => dispatchIssue(ctx, 'reopen', issue)),
  defineReaction('mergeRequest.opened', (ctx, { mergeRequest }) =>
    dispatchMergeRequest(ctx, mergeRequest, { action: 'open' }),
  ),
  defineReaction('mergeRequest.updated', (ctx, { before, after }) =>
    dispatchMergeRequest(ctx, after, { action: 'update', before }),
  ),
  defineReaction('mergeRequest.closed', (ctx, { mergeRequest }) =>
    dispatchMergeRequest(ctx, mergeRequest, { action: 'close' }),
  ),
  defineReaction('mergeRequest.reopened', (ctx, { mergeRequest }) =>
    dispatchMergeRequest(ctx, mergeRequest, { action: 'reopen' }),
  ),
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) =>
    dispatchMergeRequest(ctx, mergeRequest, { action: 'merge' }),
  ),
  defineReaction('mergeRequest.approvalAdded', (ctx, event) =>
    dispatchReview(ctx, event.isDecisive ? 'approved' : 'approval', event),
  ),
  defineReaction('mergeRequest.approvalRemoved', (ctx, event) =>
    dispatchReview(ctx, event.isDecisive ? 'unapproved' : 'unapproval', event),
  ),
  defineReaction('mergeRequest.reviewChanged', (ctx, event) => dispatchReview(ctx, 'update', event)),
  defineReaction('note.created', (ctx, event) => dispatchNote(ctx, 'create', event)),
  defineReaction('note.updated', (ctx, event) => dispatchNote(ctx, 'update', event)),
  defineReaction('commitComment.created', (ctx, event) => dispatchCommitNote(ctx, 'create', event)),
  defineReaction('commitComment.updated', (ctx, event) => dispatchCommitNote(ctx, 'update', event)),
  defineReaction('code.pushed', async (ctx, event) => {
    if (event.volume.sendsHooks) await dispatchPush(ctx, event)
    await dispatchPushedMergeRequests(ctx, event)
  }),
  defineReaction('milestone.opened', (ctx, event) => dispatchMilestone(ctx, 'create', event)),
  defineReaction('milestone.closed', (ctx, event) => dispatchMilestone(ctx, 'close', event)),
  defineReaction('milestone.reopened', (ctx, event) => dispatchMilestone(ctx, 'reopen', event)),
  defineReaction('milestone.removed', (ctx, event) => dispatchMilestone(ctx, 'delete', event)),
  defineReaction('emoji.awarded', (ctx, event) => dispatchEmoji(ctx, 'award', event)),
  defineReaction('emoji.revoked', (ctx, event) => dispatchEmoji(ctx, 'revoke', event)),
  defineReaction('project.created', (ctx, { project }) =>
    dispatchToSystem(ctx, (payload) => buildProjectEvent(payload, 'project_create', project)),
  ),
  defineReaction('project.updated', dispatchProjectChange),
  defineReaction('project.removed', (ctx, { project }) =>
    dispatchToSystem(ctx, (payload) => buildProjectEvent(payload, 'project_destroy', project)),
  ),
  defineReaction('group.created', (ctx, { group }) => dispatchGroup(ctx, 'create', group.id)),
  defineReaction('group.renamed', (ctx, { group, oldPath, oldFullPath }) =>
    dispatchToSystem(ctx, () => buildGroupEvent('group_rename', group, { path: oldPath, fullPath: oldFullPath })),
  ),
  defineReaction('user.renamed', (ctx, { user, oldUsername }) =>
    dispatchToSystem(ctx, () => buildUserEvent('user_rename', user, oldUsername)),
  ),
  defineReaction('group.removed', (ctx, { groupId }) => dispatchGroup(ctx, 'destroy', groupId)),
  defineReaction('user.created', async (ctx, { user }) => {
    // The author of the contributions of removed users is no account.
    if (user.email !== ghostEmail) await dispatchToSystem(ctx, () => buildUserEvent('user_create', user))
  }),
  defineReaction('key.created', (ctx, event) =>
    dispatchToSystem(ctx, (payload) => buildKeyEvent(payload, 'key_create', event)),
  ),
  defineReaction('key.removed', (ctx, event) =>
    dispatchToSystem(ctx, (payload) => buildKeyEvent(payload, 'key_destroy', event)),
  ),
  defineReaction('user.removed', (ctx, { user }) => dispatchToSystem(ctx, () => buildUserEvent('user_destroy', user))),
  defineReaction('release.created', (ctx, event) => dispatchRelease(ctx, 'create', event)),
  defineReaction('release.updated', (ctx, event) => dispatchRelease(ctx, 'update', event)),
  defineReaction('release.removed', (ctx, event) => dispatchRelease(ctx, 'delete', event)),
  defineReaction('wikiPage.created', (ctx, event) => dispatchWikiPage(ctx, 'create', event)),
  defineReaction('wikiPage.updated', (ctx, event) => dispatchWikiPage(ctx, 'update', event)),
  defineReaction('wikiPage.removed', (ctx, event) => dispatchWikiPage(ctx, 'delete', event)),
  defineReaction('pipeline.changed', (ctx, { pipeline }) =>
    dispatchOfProject(ctx, pipeline.projectId, (project) => [
      { kind: 'pipeline', build: (payload) => buildPipelineEvent(payload, project, pipeline) },
    ]),
  ),
  defineReaction('pipelineJob.changed', async (ctx, { job }) => {
    if (job.kind === 'external') return
    await dispatchOfProject(ctx, job.projectId, (project) => [
      { kind: 'job', build: (payload) => buildJobEvent(payload, project, job) },
    ])
  }),
  defineReaction('featureFlag.toggled', (ctx, { projectId, flag }) =>
    dispatchOfProject(ctx, projectId, (project) => [
      { kind: 'featureFlag', build: (payload) => buildFeatureFlagEvent(payload, project, flag) },
    ]),
  ),
  defineReaction('deployment.changed', async (ctx, { projectId, deployment }) => {
    // As in GitLab, deployments that have not started are not sent.
    if (!['running', 'success', 'failed', 'canceled'].includes(deployment.status)) return
    await dispatchOfProject(ctx, projectId, (project) => [
      { kind: 'deployment', build: (payload) => buildDeploymentEvent(payload, project, deployment) },
    ])
  }),
]
