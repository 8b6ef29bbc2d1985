import { Access } from '../../../access/levels.ts'
import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import type { PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { readViewerAccess } from '../../code/protected-references/reference-access.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { readArchiveTime } from './archive-time.ts'

interface PipelineReference {
  /** Name of the branch or tag; of a merge request, its source branch. */
  readonly name: string
  readonly isTag: boolean
}

/** Whether the current user may run pipelines of a branch or tag: where it is protected, only those who may change it. */
export const canRunOn = async (
  ctx: Context,
  project: Project,
  { name, isTag }: PipelineReference,
): Promise<boolean> => {
  if (ctx.actor.kind !== 'user') return true
  const access = await readViewerAccess(ctx, project)
  return isTag ? access.canCreateTag(name) : access.canMerge(name)
}

/** @throws PlatformError `invalid` if the branch or tag is protected against the current user */
export const assertMayRunOn = async (ctx: Context, project: Project, reference: PipelineReference): Promise<void> => {
  if (await canRunOn(ctx, project, reference)) return
  throw invalid({
    base: [
      `You do not have sufficient permission to run a pipeline on '${reference.name}'. Please select a different branch or contact your administrator for assistance.`,
    ],
  })
}

/** @throws PlatformError `forbidden` if the branch or tag of a status is protected against the current user */
export const assertMayReportOn = async (
  ctx: Context,
  project: Project,
  reference: PipelineReference,
): Promise<void> => {
  if (await canRunOn(ctx, project, reference)) return
  throw forbidden(`The ${reference.isTag ? 'tag' : 'branch'} of the status is protected`, 'protected')
}

/**
 * Pipelines older than the setting `archiveBuildsInHumanReadable` are archived: no one changes them or runs their jobs again.
 *
 * @throws PlatformError `forbidden` for an archived pipeline
 */
const assertNotArchived = async (ctx: Context, { createdAt }: Pick<PipelineRecord, 'createdAt'>): Promise<void> => {
  if (ctx.actor.kind !== 'system' && (await readArchiveTime(ctx)) > createdAt)
    throw forbidden('The pipeline is archived: its jobs cannot be retried or played', 'archived')
}

/** @throws PlatformError `forbidden` if a pipeline is archived, or its branch or tag is protected against the current user */
export const assertMayChangePipeline = async (
  ctx: Context,
  project: Project,
  pipeline: PipelineRecord,
): Promise<void> => {
  await assertNotArchived(ctx, pipeline)
  const { ref, tag, mergeRequestId } = pipeline
  const mergeRequest =
    mergeRequestId === null
      ? undefined
      : await ctx.db
          .selectFrom('mergeRequest')
          .where('id', '=', mergeRequestId)
          .select('sourceBranch')
          .executeTakeFirst()
  const name = mergeRequest?.sourceBranch ?? ref
  if (!(await canRunOn(ctx, project, { name, isTag: tag })))
    throw forbidden(`The ${tag ? 'tag' : 'branch'} of the pipeline is protected`, 'protected')
}

const overrideLevels = {
  no_one_allowed: Number.POSITIVE_INFINITY,
  developer: Access.developer,
  maintainer: Access.maintainer,
  owner: Access.owner,
} as const

/** @throws PlatformError `invalid` if the project does not let the current user set variables of pipelines */
export const assertMaySetVariables = async (ctx: Context, { project, access }: Subjects['project']): Promise<void> => {
  const settings = await readProjectSettings(ctx, project.id)
  if (!settings.restrictUserDefinedVariables || ctx.actor.kind === 'system') return
  const role = settings.ciPipelineVariablesMinimumOverrideRole
  const isAllowed = access >= overrideLevels[role] || (role !== 'no_one_allowed' && isAdministrator(ctx.actor))
  if (!isAllowed) throw invalid({ base: ['Insufficient permissions to set pipeline variables'] })
}

const cancelingLevels = {
  developer: Access.developer,
  maintainer: Access.maintainer,
  no_one: Number.POSITIVE_INFINITY,
} as const

/** @throws PlatformError `forbidden` if the setting `ciRestrictPipelineCancellationRole` reserves it for higher roles */
export const assertMayCancel = async (ctx: Context, { project, access }: Subjects['project']): Promise<void> => {
  const { ciRestrictPipelineCancellationRole: role } = await readProjectSettings(ctx, project.id)
  if (ctx.actor.kind === 'system' || access >= cancelingLevels[role]) return
  if (role === 'no_one' || !isAdministrator(ctx.actor)) throw forbidden('Canceling pipelines is restricted')
}
