import type { Subjects } from '../../../../contract/subjects.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { GitIdentity } from '../../../../ports/git.ts'
import { toPrivateEmail } from '../../../accounts/users/commit-email.ts'
import type { Settings } from '../../../administration/settings/definition.ts'
import { getSettings } from '../../../administration/settings/queries.ts'
import { findPusher, type Pusher } from '../../../code/repository/branch-writer.ts'
import { toCommitName } from '../../../code/repository/commit-identity.ts'
import type { RepositoryCommit } from '../../../code/repository/repository.ts'
import type { ProjectSettings } from '../../../spaces/projects/settings.ts'
import { findIssuesClosedBy, findReadableIssues } from '../changes/closed-issues.ts'
import type { IssueReference } from '../changes/closing-pattern.ts'
import { isTooEarly, type MergeRequestRecord } from '../merge-request.ts'
import { findObstacle, isRunning, isSquashed, loadConditions } from '../mergeability.ts'
import { findMergeRequest } from '../queries.ts'
import { createMergeMessage, createSquashMessage, type MessageInput } from './commit-messages.ts'
import { notMergeableError } from './merge-errors.ts'

/** What the current user of a merge decides; undefined for the choices of the merge request and the project. */
export interface MergeOptions {
  readonly mergeCommitMessage?: string | undefined
  readonly squashCommitMessage?: string | undefined
  readonly squash?: boolean | undefined
  readonly shouldRemoveSourceBranch?: boolean | undefined
  readonly sha?: string | undefined
}

const reasons = {
  not_open: 'Only an open merge request can be merged',
  merge_time: 'It is too early for the merge',
  draft_status: 'A draft cannot be merged',
  discussions_not_resolved: 'All discussions must be resolved',
  not_approved: 'More approvals are required',
  requested_changes: 'A reviewer has requested changes',
  title_regex: 'The title does not match the pattern of the project',
  ci_must_pass: 'The pipeline must succeed',
  ci_still_running: 'The pipeline is still running',
} as const

/** The settings of the project, and whether a merge has to wait for the pipeline or its time. */
interface MergeConditions {
  readonly settings: ProjectSettings
  readonly mustWait: boolean
}

/**
 * Checks the conditions of a merge. `waits`: the merge may happen when the pipeline succeeds and its time has come.
 *
 * @throws PlatformError `conflict` if the state of the merge request does not permit a merge
 */
export const assertMergeable = async (
  ctx: Context,
  record: MergeRequestRecord,
  { waits = false }: { readonly waits?: boolean } = {},
): Promise<MergeConditions> => {
  const conditions = (await loadConditions(ctx, [record]))(record)
  const isEarly = waits && isTooEarly(record, ctx.now)
  const obstacle = findObstacle(isEarly ? { ...record, mergeAfter: null } : record, conditions)
  const mustWait = isEarly || (waits && isRunning(conditions.headPipeline))
  if (obstacle !== undefined && !(mustWait && obstacle === 'ci_still_running'))
    throw notMergeableError(reasons[obstacle])
  return { settings: conditions.settings, mustWait }
}

/** @throws PlatformError `conflict` if the merge request has been changed since `record` was read */
export const assertStillMergeable = async (
  ctx: Context,
  record: MergeRequestRecord,
  options: { readonly waits?: boolean } = {},
): Promise<MergeConditions> => {
  const current = await findMergeRequest(ctx, record.projectId, record.iid)
  if (current?.targetBranch !== record.targetBranch) throw notMergeableError('The target branch was changed')
  return assertMergeable(ctx, current, options)
}

/** Commits are readable for others than the e-mail addresses of users: a private address is replaced by one that no mail reaches. */
const toCommitIdentity =
  (settings: Pick<Settings, 'commitEmailHostname'>) =>
  (user: Reviewer): GitIdentity => ({
    name: toCommitName(user),
    email: user.publicEmail || toPrivateEmail(settings, user),
  })

const identityColumns = ['user.id', 'user.name', 'user.username', 'user.publicEmail'] as const

type Reviewer = Awaited<ReturnType<typeof findUsers>>[number]

const findCommitUser = ({ db }: Context, id: number) =>
  db.selectFrom('user').where('id', '=', id).select(identityColumns).executeTakeFirstOrThrow()

const findUsers = (ctx: Context, table: 'mergeRequestReviewer' | 'mergeRequestApproval', id: number) =>
  ctx.db
    .selectFrom(table)
    .innerJoin('user', 'user.id', `${table}.userId`)
    .where(`${table}.mergeRequestId`, '=', id)
    .orderBy('user.id')
    .select(identityColumns)
    .execute()

/** Issues are closed by merges into the default branch only. */
const findClosingReferences = (
  { project, mergeRequest }: Subjects['mergeRequest'],
  commits: readonly RepositoryCommit[],
): readonly IssueReference[] =>
  mergeRequest.targetBranch === project.defaultBranch
    ? findIssuesClosedBy(
        mergeRequest,
        commits.map(({ message }) => message),
      )
    : []

/** What the database contributes to a merge. */
export interface MergeInput {
  readonly method: ProjectSettings['mergeMethod']
  readonly isSquashed: boolean
  readonly mergeMessage: string
  readonly squashMessage: string
  readonly author: Pusher
  readonly closedIssues: readonly IssueReference[]
}

/** Reads the settings and creates the messages of a merge by `merger`. `commits`: those of the merge request, oldest first. */
export const readMergeInput = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  { merger, commits, options }: { merger: Pusher; commits: readonly RepositoryCommit[]; options: MergeOptions },
): Promise<MergeInput> => {
  const { project, mergeRequest } = subject
  const { settings } = await assertMergeable(ctx, mergeRequest)
  const references = findClosingReferences(subject, commits)
  const issues = await findReadableIssues(ctx, project.fullPath, references)
  const readable = references.filter(({ projectPath, iid }) =>
    issues.some((issue) => issue.iid === iid && (projectPath !== undefined || issue.projectId === project.id)),
  )
  const author = await findPusher(ctx, mergeRequest.authorId)
  const hasCommitted = commits.some(({ authorEmail }) => authorEmail === author.email)
  const toIdentity = toCommitIdentity(await getSettings(ctx))
  const input: MessageInput = {
    mergeRequest,
    projectPath: project.fullPath,
    siteUrl: ctx.call.siteUrl,
    commits,
    closedIssues: readable.map(({ projectPath = '', iid }) => `${projectPath}#${iid}`),
    author: hasCommitted ? author : toIdentity(await findCommitUser(ctx, author.id)),
    mergedBy: merger,
    reviewers: (await findUsers(ctx, 'mergeRequestReviewer', mergeRequest.id)).map(toIdentity),
    approvers: (await findUsers(ctx, 'mergeRequestApproval', mergeRequest.id)).map(toIdentity),
  }
  return {
    method: settings.mergeMethod,
    isSquashed: isSquashed(settings, options.squash ?? mergeRequest.squash),
    mergeMessage: options.mergeCommitMessage || createMergeMessage(settings.mergeCommitTemplate, input),
    squashMessage: options.squashCommitMessage || createSquashMessage(settings.squashCommitTemplate, input),
    author,
    closedIssues: settings.autocloseReferencedIssues ? readable : [],
  }
}
