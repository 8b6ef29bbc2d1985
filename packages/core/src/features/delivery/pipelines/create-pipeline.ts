import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { getHeadReference } from '../../code/repository/merge-request-references.ts'
import { resolveOptionalAuthor } from '../../planning/issuables/author.ts'
import { CiConfigError } from '../ci-config/config-error.ts'
import { openPipelineFiles, readPipelineText, withPipelineText } from '../ci-config/pipeline-file.ts'
import type { Plan } from '../ci-config/plan.ts'
import { insertJobs, insertPipeline, type NewPipeline, settleJobs } from './mutations.ts'
import { failure, findTarget, type PipelineRequest, type PipelineTarget } from './pipeline-request.ts'
import { readPlanInputs } from './plan-inputs.ts'
import { assertMayRunOn, assertMaySetVariables } from './reference-permission.ts'

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
    const inputs = await readPlanInputs(runner, subject, target, { ...request, configPath: files.path })
    const { parentPipelineId } = request
    const source = { text, commit: target.sha, parentPipelineId, ...inputs }
    const plan = await withPipelineText(files, source, runner, (file) => {
      if (!file.summary.isValid) throw failure(...file.summary.errors)
      return planOrReject(file.plan())
    })
    return runner.write((ctx) =>
      storePipeline(ctx, subject, { target, request, fields: { userId, ...request.upstream }, plan }),
    )
  })
}
