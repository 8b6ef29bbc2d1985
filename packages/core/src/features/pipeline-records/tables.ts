import type { WithGeneratedId } from '../../db/generated-id.ts'
import type { PipelineJobRecord } from './job.ts'
import type { PipelineRecord } from './pipeline.ts'

export interface PipelineTables {
  pipeline: WithGeneratedId<PipelineRecord> & {
    /** The variables as JSON, sealed in the context `pipeline.<project>.<iid>.variables`; null for none. */
    sealedVariables: string | null
  }
  /** The jobs of pipelines, including retried ones and commit statuses. */
  pipelineJob: WithGeneratedId<PipelineJobRecord>
}
