import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { findProjectsWithReadablePipelines } from '../../code/pipeline-records/readable-projects.ts'
import { isFinal } from '../../code/pipeline-records/status.ts'
import { type ProjectSettings, withDefaultSettings } from '../../spaces/projects/settings.ts'
import { type ApprovalTarget, loadApprovalStatuses } from '../approval-rules/requirements.ts'
import { loadHeadPipelines, type PipelineOwner, selectNewestVersions } from './head-pipelines.ts'
import {
  type DetailedMergeStatus,
  isTooEarly,
  isWorkInProgress,
  type MergeRequest,
  type MergeRequestRecord,
} from './merge-request.ts'

/** The fields of a merge request that depend on its branches, discussions, approvals and project settings. */
export type Mergeability = Pick<
  MergeRequest,
  | 'reviewers'
  | 'sha'
  | 'diffRefs'
  | 'headPipeline'
  | 'changesCount'
  | 'detailedMergeStatus'
  | 'hasConflicts'
  | 'blockingDiscussionsResolved'
  | 'squashOnMerge'
>

/** The conditions of a merge that the database contains. */
interface Conditions {
  readonly settings: Pick<
    ProjectSettings,
    | 'allowMergeOnSkippedPipeline'
    | 'mergeMethod'
    | 'mergeRequestTitleRegex'
    | 'onlyAllowMergeIfAllDiscussionsAreResolved'
    | 'onlyAllowMergeIfPipelineSucceeds'
  >
  readonly hasUnresolvedDiscussion: boolean
  /** Whether the rules and the project have the approvals that they require. */
  readonly isApproved: boolean
  /** Whether a reviewer has requested changes, which prevents merges in the paid tier. */
  readonly hasRequestedChanges: boolean
  readonly headPipeline: Pipeline | null
  readonly now: string
}

type Obstacle =
  | 'not_open'
  | 'merge_time'
  | 'draft_status'
  | 'discussions_not_resolved'
  | 'not_approved'
  | 'requested_changes'
  | 'title_regex'
  | 'ci_must_pass'
  | 'ci_still_running'

/** Whether a pipeline can still succeed without a request. */
export const isRunning = (pipeline: Pipeline | null): boolean =>
  pipeline !== null && !isFinal(pipeline.status) && pipeline.status !== 'manual'

const matchesTitlePattern = (
  { mergeRequestTitleRegex: text }: Pick<ProjectSettings, 'mergeRequestTitleRegex'>,
  title: string,
): boolean => {
  if (!text) return true
  const result = compileNamePattern(text)
  // Nothing matches a stored pattern that a later version of the engine rejects.
  return 'pattern' in result && result.pattern.matchesPart(title)
}

/** Why a merge request cannot be merged, without regard to its branches; undefined if nothing prevents it. */
export const findObstacle = (
  { state, title, mergeAfter }: Pick<MergeRequestRecord, 'state' | 'title' | 'mergeAfter'>,
  { settings, hasUnresolvedDiscussion, isApproved, hasRequestedChanges, headPipeline, now }: Conditions,
): Obstacle | undefined => {
  if (state !== 'opened') return 'not_open'
  if (isTooEarly({ mergeAfter }, now)) return 'merge_time'
  if (isWorkInProgress(title)) return 'draft_status'
  if (settings.onlyAllowMergeIfAllDiscussionsAreResolved && hasUnresolvedDiscussion) return 'discussions_not_resolved'
  if (!isApproved) return 'not_approved'
  if (hasRequestedChanges) return 'requested_changes'
  if (!matchesTitlePattern(settings, title)) return 'title_regex'
  if (!settings.onlyAllowMergeIfPipelineSucceeds || headPipeline?.status === 'success') return undefined
  if (settings.allowMergeOnSkippedPipeline && headPipeline?.status === 'skipped') return undefined
  return isRunning(headPipeline) ? 'ci_still_running' : 'ci_must_pass'
}

/** Whether the project's merge method or setting replaces the choice of a merge request. */
export const isSquashed = ({ squashOption }: Pick<ProjectSettings, 'squashOption'>, squash: boolean): boolean =>
  squashOption === 'always' || (squashOption !== 'never' && squash)

/** Settings of projects, by id. */
export const loadProjectSettings = async (
  ctx: Context,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, ProjectSettings>> => {
  const ids = [...new Set(projectIds)]
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('project').where('id', 'in', ids).select(['id', 'settings']).execute()
  return new Map(rows.map(({ id, settings }) => [id, withDefaultSettings(settings)]))
}

/** Merge requests with a discussion that is not resolved. */
const selectUnresolved = ({ db }: Context, ids: readonly number[]) =>
  db
    .selectFrom('discussionNote')
    .innerJoin('note', 'note.id', 'discussionNote.noteId')
    .where('note.mergeRequestId', 'in', ids)
    .where('note.type', 'is not', null)
    .where('discussionNote.resolvedAt', 'is', null)
    .groupBy('note.mergeRequestId')
    .select('note.mergeRequestId')

const selectReviewers = ({ db }: Context, ids: readonly number[]) =>
  db
    .selectFrom('mergeRequestReviewer')
    .where('mergeRequestId', 'in', ids)
    .orderBy('mergeRequestId')
    .orderBy('userId')
    .select(['mergeRequestId', 'userId', 'createdAt'])

const selectRequestedChanges = ({ db }: Context, ids: readonly number[]) =>
  db
    .selectFrom('mergeRequestReviewer')
    .where('mergeRequestId', 'in', ids)
    .where('state', '=', 'requested_changes')
    .select('mergeRequestId')

type ConditionOwner = PipelineOwner & ApprovalTarget

/** Returns a function with the conditions of each merge request. */
export const loadConditions = async (
  ctx: Context,
  records: readonly ConditionOwner[],
): Promise<(record: ConditionOwner) => Conditions & { settings: ProjectSettings }> => {
  const ids = records.map(({ id }) => id)
  const [unresolved, requestedChanges, approvalStatusOf, settings, headPipelineOf] = await awaitAll([
    selectUnresolved(ctx, ids).execute(),
    ctx.tier === 'paid' ? selectRequestedChanges(ctx, ids).execute() : [],
    loadApprovalStatuses(ctx, records),
    loadProjectSettings(
      ctx,
      records.map(({ projectId }) => projectId),
    ),
    loadHeadPipelines(ctx, records),
  ])
  const unresolvedIds = new Set(unresolved.map(({ mergeRequestId }) => mergeRequestId))
  const requestedIds = new Set(requestedChanges.map(({ mergeRequestId }) => mergeRequestId))
  return (record) => {
    const ownSettings = settings.get(record.projectId) ?? withDefaultSettings(null)
    return {
      settings: ownSettings,
      hasUnresolvedDiscussion: unresolvedIds.has(record.id),
      hasRequestedChanges: requestedIds.has(record.id),
      isApproved: approvalStatusOf(record, ownSettings.approvalsBeforeMerge).approvalsLeft === 0,
      headPipeline: headPipelineOf(record),
      now: ctx.now,
    }
  }
}

interface Check {
  readonly sourceSha: string | null
  readonly targetSha: string | null
  readonly hasConflicts: boolean
  readonly isBehind: boolean
}

const getDetailedMergeStatus = (
  record: MergeRequestRecord,
  conditions: Conditions,
  check: Check | undefined,
): DetailedMergeStatus => {
  const obstacle = findObstacle(record, conditions)
  if (obstacle === 'not_open') return obstacle
  if (record.mergeStatus === 'unchecked') return 'unchecked'
  if (obstacle === 'merge_time' || obstacle === 'draft_status') return obstacle
  if (record.mergeStatus === 'cannot_be_merged' && !check?.hasConflicts) return 'commits_status'
  if (obstacle !== undefined) return obstacle
  if (check?.hasConflicts) return 'conflict'
  return conditions.settings.mergeMethod !== 'merge' && check?.isBehind ? 'need_rebase' : 'mergeable'
}

const noMergeability: Mergeability = {
  reviewers: [],
  sha: null,
  diffRefs: null,
  headPipeline: null,
  changesCount: null,
  detailedMergeStatus: 'not_open',
  hasConflicts: false,
  blockingDiscussionsResolved: true,
  squashOnMerge: false,
}

/** Returns a function with the mergeability of each merge request. The number of queries does not depend on their number. */
export async function loadMergeability(
  ctx: Context,
  records: readonly MergeRequestRecord[],
): Promise<(record: MergeRequestRecord) => Mergeability> {
  if (!records.length) return () => noMergeability
  const ids = records.map(({ id }) => id)
  const [conditionsOf, versions, checks, reviewers] = await awaitAll([
    loadConditions(ctx, records),
    selectNewestVersions(ctx, ids).execute(),
    ctx.db.selectFrom('mergeRequestCheck').where('mergeRequestId', 'in', ids).selectAll().execute(),
    selectReviewers(ctx, ids).execute(),
  ])
  const users = await userSummaries(
    ctx,
    reviewers.map(({ userId }) => userId),
  )
  const readable = await findProjectsWithReadablePipelines(
    ctx,
    records.flatMap((record) => (conditionsOf(record).headPipeline ? [record.projectId] : [])),
  )
  const versionsById = new Map(versions.map((version) => [version.mergeRequestId, version]))
  const checksById = new Map(checks.map((check) => [check.mergeRequestId, check]))
  return (record) => {
    const conditions = conditionsOf(record)
    const version = versionsById.get(record.id)
    const check = checksById.get(record.id)
    return {
      reviewers: reviewers
        .filter(({ mergeRequestId }) => mergeRequestId === record.id)
        .map(({ userId }) => defined(users.get(userId))),
      sha: version?.headSha ?? null,
      diffRefs: version ? { baseSha: version.baseSha, headSha: version.headSha, startSha: version.startSha } : null,
      headPipeline: readable.has(record.projectId) ? conditions.headPipeline : null,
      changesCount: version?.changesCount ?? null,
      detailedMergeStatus: getDetailedMergeStatus(record, conditions, check),
      hasConflicts: record.mergeStatus === 'cannot_be_merged' && Boolean(check?.hasConflicts),
      blockingDiscussionsResolved: !(
        conditions.settings.onlyAllowMergeIfAllDiscussionsAreResolved && conditions.hasUnresolvedDiscussion
      ),
      squashOnMerge:
        record.state === 'merged' ? record.squashCommitSha !== null : isSquashed(conditions.settings, record.squash),
    }
  }
}
