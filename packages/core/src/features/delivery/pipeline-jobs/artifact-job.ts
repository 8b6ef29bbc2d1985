import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { allOrNone, exactlyOne, Id } from '../../../kernel/inputs.ts'
import { findJob, selectJobs, selectPipelines } from '../../code/pipeline-records/queries.ts'
import { selectArtifacts } from './artifacts.ts'

/** A job with artifacts: by its id, or by its name. */
export const artifactInput = {
  /** Id of the job. */
  job: v.optional(Id),
  /** Name of a branch or tag, instead of `job`: the job in its newest successful pipeline. */
  ref: v.optional(v.string()),
  /** Name of the job; required with `ref`. */
  name: v.optional(v.string()),
}

type ArtifactReference = v.InferOutput<v.ObjectSchema<typeof artifactInput, undefined>>

export const artifactRules = [exactlyOne<ArtifactReference>('job', 'ref'), allOrNone<ArtifactReference>('ref', 'name')]

/**
 * The newest job with this name and with artifacts in a successful pipeline of a branch or tag.
 *
 * @throws PlatformError `not_found` if there is none
 */
const findJobOfRef = async (
  ctx: Context,
  projectId: number,
  { ref, name }: { readonly ref: string; readonly name: string },
): Promise<number> => {
  const pipelines = selectPipelines(ctx, projectId)
    .where('ref', '=', ref)
    .where('status', '=', 'success')
    .clearSelect()
    .select('id')
  const record = await selectJobs(ctx, projectId)
    .where('pipelineId', 'in', pipelines)
    .where('name', '=', name)
    .where('id', 'in', selectArtifacts(ctx).select('jobId'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (record === undefined) throw notFound('')
  return record.id
}

/** The id of the job that the input names. */
export const findArtifactJob = async (
  ctx: Context,
  projectId: number,
  { job, ref = '', name = '' }: ArtifactReference,
): Promise<number> =>
  job === undefined ? findJobOfRef(ctx, projectId, { ref, name }) : (await findJob(ctx, projectId, job)).id
