import type { Project } from '../../contract/project.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction, type Deferred, type TransactionRunner } from '../../kernel/deferred.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Repository } from '../../ports/git.ts'
import { CiConfigError } from '../ci-config/config-error.ts'
import { openPipelineFiles, readPipelineText, withPipelineText } from '../ci-config/pipeline-file.ts'
import type { Plan } from '../ci-config/plan.ts'
import type { PipelineFile } from '../ci-config/planner.ts'
import { predefineVariables } from '../ci-config/predefined-variables.ts'
import { readEffectiveVariables } from '../ci-variables/effective-variables.ts'
import { resolveOptionalAuthor } from '../issuables/author.ts'
import { isFromFork, type MergeRequestRecord } from '../merge-requests/merge-request.ts'
import type { Pipeline, PipelineSource } from '../pipeline-records/pipeline.ts'
import { readRules } from '../protected-references/queries.ts'
import { matchesName } from '../protected-references/reference-names.ts'
import { getHeadReference } from '../repository/merge-request-references.ts'
import { insertJobs, insertPipeline, type NewPipeline, settleJobs } from './mutations.ts'
import { assertMayRunOn, assertMaySetVariables, canRunOn } from './reference-permission.ts'
import type { PipelineVariable } from './variables.ts'

export interface PipelineRequest {
  /** Name of a branch or tag, with or without `refs/heads/` or `refs/tags/`. */
  readonly ref: string
  readonly source: PipelineSource
  readonly variables?: readonly PipelineVariable[]
  /** SHA of another commit than the newest one. */
  readonly sha?: string
  /** Text of a pipeline file that replaces the one of the commit. */
  readonly config?: string
  /** The job that starts the pipeline. */
  readonly upstream?: Required<Pick<NewPipeline, 'upstreamJobId' | 'rootPipelineId'>>
  /** SHA of the branch before a push, from which its changes are computed. */
  readonly before?: string | null
  /** Whether the rules know the stored variables. Default: true. */
  readonly readsVariables?: boolean
  /** Runs in the transaction that creates the pipeline. */
  readonly onCreate?: (ctx: Context, pipeline: { readonly id: number }) => Promise<void>
  readonly mergeRequest?:
    | Pick<
        MergeRequestRecord,
        'id' | 'iid' | 'title' | 'sourceBranch' | 'targetBranch' | 'projectId' | 'sourceProjectId'
      >
    | undefined
  /** SHA of the merge base, for a pipeline that runs in a fork. Its repository does not have the target branch. */
  readonly mergeBase?: string | undefined
}

/** A branch or tag of a pipeline. */
export interface PipelineTarget {
  readonly repository: Repository
  readonly name: string
  readonly sha: string
  readonly isTag: boolean
}

const failure = (...messages: readonly string[]) => invalid({ base: messages })

/** @throws PlatformError `invalid` if there is no such branch, tag or head of a merge request */
export const findTarget = async (repository: Repository | undefined, reference: string): Promise<PipelineTarget> => {
  if (/^refs\/merge-requests\/\d+\/head$/.test(reference)) {
    const head = await repository?.reference(reference)
    if (repository === undefined || head === undefined) throw failure('Reference not found')
    return { repository, name: reference, sha: head, isTag: false }
  }
  const name = reference.replace(/^refs\/(?:heads|tags)\//, '')
  const [branch, tag] = repository
    ? await Promise.all([
        reference.startsWith('refs/tags/') ? undefined : repository.branch(name),
        reference.startsWith('refs/heads/') ? undefined : repository.tag(name),
      ])
    : []
  const sha = branch ?? tag
  if (repository === undefined || sha === undefined) throw failure('Reference not found')
  return { repository, name, sha, isTag: branch === undefined }
}

/** Paths of a commit that `exists` searches; more are not. */
const maxPaths = 10_000

const listPaths = async ({ repository, sha }: PipelineTarget): Promise<readonly string[]> =>
  ((await repository.tree({ commit: sha, recursive: true, limit: maxPaths }))?.entries ?? []).map(({ path }) => path)

/** The paths that a merge request or a push to an existing branch changes; undefined if unknown. */
const listChangedPaths = async (
  { repository, sha, isTag }: PipelineTarget,
  { mergeRequest, mergeBase, before }: Pick<PipelineRequest, 'mergeRequest' | 'mergeBase' | 'before'>,
): Promise<readonly string[] | undefined> => {
  const target = mergeRequest && (mergeBase ?? (await repository.branch(mergeRequest.targetBranch)))
  const from = mergeRequest ? target : isTag ? undefined : before
  if (from === undefined || from === null || (await repository.commit(from)) === undefined) return undefined
  const { diffs, overflow, timedOut } = await repository.compare({ from, to: sha, straight: !mergeRequest })
  return overflow || timedOut ? undefined : diffs.flatMap(({ oldPath, newPath }) => [oldPath, newPath])
}

const isProtectedName = async (
  ctx: Context,
  projectId: number,
  { name, isTag }: Pick<PipelineTarget, 'name' | 'isTag'>,
) =>
  (await readRules(ctx, projectId)).some(
    (rule) => rule.kind === (isTag ? 'tag' : 'branch') && matchesName(rule.name, name),
  )

/** Whether a pipeline in the target project is for the branch of a fork. */
const runsForFork = ({ id }: Pick<Project, 'id'>, mergeRequest: NonNullable<PipelineRequest['mergeRequest']>) =>
  id === mergeRequest.projectId && isFromFork(mergeRequest)

/**
 * The jobs that a pipeline of a branch or tag would have.
 *
 * @throws CiConfigError if the rules leave no job
 */
export const planAt = async (
  runner: TransactionRunner,
  { project }: Subjects['project'],
  file: PipelineFile,
  target: PipelineTarget,
  {
    source,
    variables = [],
    mergeRequest,
    mergeBase,
    before = null,
    readsVariables = true,
  }: Omit<PipelineRequest, 'ref'>,
): Promise<Plan> => {
  const { isProtected, stored } = await runner.read(async (ctx) => {
    // The name of a branch of a fork can be that of a protected branch here.
    const isForeign = mergeRequest !== undefined && runsForFork(project, mergeRequest)
    const isProtected = !isForeign && (await isProtectedName(ctx, project.id, target))
    if (!readsVariables) return { isProtected, stored: {} }
    // A rule must not reveal the values of protected variables to those who cannot change the branch.
    const isTrusted = isProtected && (await canRunOn(ctx, project, target))
    return { isProtected, stored: await readEffectiveVariables(ctx, project, isTrusted) }
  })
  const { name: ref, isTag, sha } = target
  const commit = await target.repository.commit(sha)
  const origin = { ref, isTag, isProtected, source, commit, mergeRequest }
  const given = Object.fromEntries(variables.map(({ key, value }) => [key, value]))
  return file.plan({
    ref,
    isTag,
    source,
    variables: { ...predefineVariables(project, origin), ...stored, ...given },
    changedPaths: await listChangedPaths(target, { mergeRequest, mergeBase, before }),
    paths: file.summary.usesPaths ? await listPaths(target) : [],
  })
}

const planOrReject = async (plan: Promise<Plan>): Promise<Plan> => {
  try {
    return await plan
  } catch (error) {
    throw error instanceof CiConfigError ? failure(...error.problems) : error
  }
}

interface StoredPipeline {
  readonly target: PipelineTarget
  readonly request: PipelineRequest
  readonly fields: Pick<
    NewPipeline,
    'userId' | 'status' | 'yamlErrors' | 'creationKey' | 'beforeSha' | 'upstreamJobId' | 'rootPipelineId'
  >
  /** Undefined for a pipeline without jobs. */
  readonly plan: Plan | undefined
}

/** Inserts a pipeline with its jobs, and starts those that wait for nothing. */
export const storePipeline = async (
  ctx: Context,
  { project }: Subjects['project'],
  { target, request, fields, plan }: StoredPipeline,
): Promise<Pipeline> => {
  const { source, variables = [], mergeRequest, onCreate } = request
  const record = await insertPipeline(ctx, {
    projectId: project.id,
    ref: mergeRequest?.projectId === project.id ? getHeadReference(mergeRequest.iid) : target.name,
    tag: target.isTag,
    sha: target.sha,
    source,
    name: plan?.name ?? null,
    onNewCommit: plan?.onNewCommit ?? null,
    variables,
    mergeRequestId: mergeRequest?.id ?? null,
    ...fields,
  })
  if (plan) await insertJobs(ctx, record, plan.jobs)
  await onCreate?.(ctx, record)
  return settleJobs(ctx, record, undefined, { isNew: true })
}

/**
 * Creates a pipeline with the jobs of the pipeline file at a branch or tag. Nothing is executed: the host reports the results.
 *
 * @throws PlatformError `invalid` with the reason if the ref or the file is missing, or the file is not valid
 */
export const createPipeline = async (
  ctx: Context,
  subject: Subjects['project'],
  request: PipelineRequest,
): Promise<Deferred<Pipeline>> => {
  const { ref, mergeRequest } = request
  // The file of another pipeline has set the variables of a downstream one.
  if (request.variables?.length && !request.upstream) await assertMaySetVariables(ctx, subject)
  const files = await openPipelineFiles(ctx, subject)
  const userId = await resolveOptionalAuthor(ctx, undefined)
  return afterTransaction(async (runner) => {
    const found = await findTarget(files.opened?.repository, ref)
    await runner.read((ctx) => assertMayRunOn(ctx, subject.project, found))
    const target = { ...found, name: mergeRequest?.sourceBranch ?? found.name, sha: request.sha ?? found.sha }
    const text = request.config ?? (await readPipelineText(files, target.sha))
    if (text === undefined) throw failure('Missing CI config file')
    const plan = await withPipelineText(files, { text, commit: target.sha }, runner, (file) => {
      if (!file.summary.isValid) throw failure(...file.summary.errors)
      return planOrReject(planAt(runner, subject, file, target, request))
    })
    return runner.write((ctx) =>
      storePipeline(ctx, subject, { target, request, fields: { userId, ...request.upstream }, plan }),
    )
  })
}
