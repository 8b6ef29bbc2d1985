import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { PipelineJobRecord } from './job.ts'
import type { JobDefinition } from './job-definition.ts'
import type { CancellationPolicy, PipelineRecord } from './pipeline.ts'

export interface PipelineTables {
  pipeline: WithGeneratedId<PipelineRecord> & {
    /** The variables as JSON, sealed in the context `pipeline.<project>.<iid>.variables`; null for none. */
    sealedVariables: string | null
    /** Random, of the job that creates the pipeline, so that a repeated job creates no second one; null for other pipelines. */
    creationKey: string | null
    /** The job of another pipeline that has started this one; null for none, and after its removal. */
    upstreamJobId: number | null
    /** Id of the first pipeline from which this one follows; null if no job has started it. */
    rootPipelineId: number | null
    /** What a newer push cancels: `workflow:auto_cancel:on_new_commit` of the pipeline file; null without it. */
    onNewCommit: CancellationPolicy | null
  }
  /** The jobs of pipelines, including retried ones and commit statuses. */
  pipelineJob: WithGeneratedId<PipelineJobRecord> & {
    /** Null for jobs that run elsewhere, and for those that start pipelines. */
    definition: JobDefinition | null
    /** The variables with which the job was started as JSON, sealed in the context of those of the pipeline; null for none. */
    sealedVariables: string | null
  }
}
