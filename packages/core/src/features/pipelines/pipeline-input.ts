import { Id } from '../../kernel/inputs.ts'

export const pipelineInput = {
  /** Id, not iid, of the pipeline. */
  pipeline: Id,
}
