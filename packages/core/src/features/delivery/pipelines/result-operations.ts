import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { invalid } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { settleJobs } from './mutations.ts'
import { pipelineInput } from './pipeline-input.ts'
import { recordInput, recordPipeline } from './record-pipeline.ts'
import { finishJobs, jobResults } from './start-jobs.ts'

/** The part of `pipelines` with which the host reports pipelines and their results. */
export const pipelineResults = {
  /**
   * Records a pipeline that ran or runs outside of the platform. Jobs without a status start in the order of their stages.
   *
   * @throws PlatformError `invalid` for two jobs with the same name, and for a missing merge request
   */
  record: command({
    on: project,
    can: 'pipeline.record',
    serializes: 'project',
    input: recordInput,
    run: (ctx, input, { project }) => recordPipeline(ctx, project, input),
  }),

  /**
   * Gives results to the jobs of a pipeline that have not ended, stage by stage: `success` unless named otherwise. Jobs after a
   * failure are skipped as their conditions say. Manual jobs run only if they are named.
   *
   * @throws PlatformError `invalid` for a name that no job of the pipeline has
   */
  finish: command({
    on: project,
    can: 'pipeline.record',
    serializes: 'project',
    input: {
      ...pipelineInput,
      /** Results by the name of the job: `{ test: 'failed' }`. Default: `success` for all. */
      results: v.optional(v.record(v.string(), v.picklist(jobResults)), {}),
    },
    async run(ctx, { pipeline, results }, { project }): Promise<Pipeline> {
      const record = await findPipeline(ctx, project.id, pipeline)
      const jobs = await selectJobs(ctx, project.id).where('pipelineId', '=', record.id).select('name').execute()
      const unknown = Object.keys(results).filter((name) => !jobs.some((job) => job.name === name))
      if (unknown.length)
        throw invalid({
          results: [`has no job '${unknown[0]}' in pipeline ${record.id}: ${jobs.map(({ name }) => name).join(', ')}`],
        })
      return settleJobs(ctx, record, (all, barriers) => finishJobs(all, results, ctx.now, barriers))
    },
  }),
}
