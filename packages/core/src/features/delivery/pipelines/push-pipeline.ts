import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, type TransactionRunner } from '../../../kernel/deferred.ts'
import { type MergeRequestHead, readHead } from '../../collaboration/merge-requests/changes/head.ts'
import { prepareHead } from '../../collaboration/merge-requests/changes/source-branch.ts'
import { isFromFork, type MergeRequestRecord } from '../../collaboration/merge-requests/merge-request.ts'
import { findMergeRequest } from '../../collaboration/merge-requests/queries.ts'
import { resolveOptionalAuthor } from '../../planning/issuables/author.ts'
import { CiConfigError, NoJobsError } from '../ci-config/config-error.ts'
import { openPipelineFiles, readPipelineText, withPipelineText } from '../ci-config/pipeline-file.ts'
import type { Plan } from '../ci-config/plan.ts'
import type { PipelineFile } from '../ci-config/planner.ts'
import { cancelRedundantPipelines } from './auto-cancel.ts'
import { storePipeline } from './create-pipeline.ts'
import { findPipelinePlace } from './merge-request-project.ts'
import { findTarget, type PipelineRequest, type PipelineTarget } from './pipeline-request.ts'
import { readPlanInputs } from './plan-inputs.ts'
import type { PushedReference } from './pushed-reference.ts'

/** Text in the message of a commit that skips its pipeline. */
const skipPattern = /\[(?:ci skip|skip ci)\]/i

/** What the pipeline file says about a pushed commit. */
type Decision = { readonly plan: Plan } | { readonly problems: readonly string[] } | { readonly isSkipped: true }

/** The plan, the problems of the file, or undefined if its rules leave no job. */
const planPush = async (file: PipelineFile): Promise<Decision | undefined> => {
  try {
    return { plan: await file.plan() }
  } catch (error) {
    if (error instanceof NoJobsError) return undefined
    if (error instanceof CiConfigError) return { problems: error.problems }
    throw error
  }
}

/** Whether a merge request has no commits of its own. */
const isContained = async ({ repository, sha }: PipelineTarget, { targetBranch }: MergeRequestRecord) => {
  const tip = await repository.branch(targetBranch)
  return tip !== undefined && repository.isAncestor(sha, tip)
}

/** Pipelines of merge requests have jobs, or are left out: the one of the branch shows what is wrong. */
const forMergeRequest = (decision: Decision | undefined, isSkipped: boolean): Decision | undefined => {
  if (decision === undefined || !('plan' in decision)) return undefined
  return isSkipped ? { isSkipped } : decision
}

const toNewPipeline = (decision: Decision) => {
  if ('problems' in decision) return { status: 'failed', yamlErrors: decision.problems.join('\n') } as const
  return 'plan' in decision ? {} : ({ status: 'skipped' } as const)
}

/** The merge request of a fork, and where its pipeline runs; undefined if the current user may run it nowhere. */
const findForkPipeline = async (ctx: Context, mergeRequest: MergeRequestRecord) => {
  const project = await findProject(ctx, mergeRequest.projectId)
  if (project === undefined) return undefined
  const access = await getProjectAccessLevel(ctx, project)
  const subject = { kind: 'mergeRequest', project, access, mergeRequest } as const
  const place = await findPipelinePlace(ctx, subject)
  return place && { place, head: await readHead(ctx, subject) }
}

/** Copies the commits of the fork to the target project, and returns the merge base of the branches there. */
const readForkBase = async (runner: TransactionRunner, head: MergeRequestHead, sha: string | null) => {
  const { opened, sourceTip, mergeRequest } = await prepareHead(runner, head)
  const targetTip = await opened?.repository.branch(mergeRequest.targetBranch)
  const tip = sha ?? sourceTip
  if (opened === undefined || targetTip === undefined || tip === undefined) return undefined
  return opened.repository.mergeBase([targetTip, tip], opened.abortable)
}

/**
 * Creates the pipeline of a pushed commit: a failed one for an invalid pipeline file, a skipped one if the message or the push
 * skips it, and none without a file, for a deleted branch, or if the rules leave no job. Does nothing for a repeated push.
 */
export const createPushPipeline = async (
  ctx: Context,
  pushedTo: Subjects['project'],
  pushed: PushedReference,
): Promise<Deferred<void>> => {
  const { key, ref, isTag, before, sha, isSkipped, mergeRequest: iid, targetProjectId = pushed.projectId } = pushed
  const mergeRequest = iid === null ? undefined : await findMergeRequest(ctx, targetProjectId, iid)
  const fork = mergeRequest && isFromFork(mergeRequest) ? await findForkPipeline(ctx, mergeRequest) : undefined
  const subject = fork?.place.subject ?? pushedTo
  const files = await openPipelineFiles(ctx, subject)
  const userId = await resolveOptionalAuthor(ctx, undefined)
  return afterTransaction(async (runner) => {
    if (iid !== null && mergeRequest?.state !== 'opened') return
    const mergeBase = fork && (await readForkBase(runner, fork.head, sha))
    const fullName = fork?.place.ref ?? `refs/${isTag ? 'tags' : 'heads'}/${ref}`
    const current = await findTarget(files.opened?.repository, fullName)
    const target = { ...current, name: ref, sha: sha ?? current.sha }
    if (mergeRequest && (fork ? mergeBase === target.sha : await isContained(target, mergeRequest))) return
    const text = await readPipelineText(files, target.sha)
    if (text === undefined) return
    const source = mergeRequest ? 'merge_request_event' : 'push'
    const request: PipelineRequest = { ref: fullName, source, mergeRequest, mergeBase, before }
    const commit = await target.repository.commit(target.sha)
    const isSkippedByMessage = skipPattern.test(commit?.message ?? '')
    const decide = async (): Promise<Decision | undefined> => {
      if (!mergeRequest && (isSkipped || isSkippedByMessage)) return { isSkipped: true }
      const inputs = await readPlanInputs(runner, subject, target, { ...request, configPath: files.path })
      return withPipelineText(files, { text, commit: target.sha, ...inputs }, runner, async (file) => {
        const { isValid, errors } = file.summary
        return isValid ? planPush(file) : { problems: errors }
      })
    }
    const decision = mergeRequest ? forMergeRequest(await decide(), isSkippedByMessage) : await decide()
    if (decision === undefined) return
    await runner.write(async (ctx) => {
      const existing = await ctx.db
        .selectFrom('pipeline')
        .where('creationKey', '=', key)
        .select('id')
        .executeTakeFirst()
      if (existing !== undefined) return
      const fields = { ...toNewPipeline(decision), userId, creationKey: key, beforeSha: before }
      const plan = 'plan' in decision ? decision.plan : undefined
      const pipeline = await storePipeline(ctx, subject, { target, request, fields, plan })
      if (plan) await cancelRedundantPipelines(ctx, pipeline, current.sha)
    })
  })
}
