import { Id } from '../../../kernel/inputs.ts'

export const jobInput = {
  /** Id of the job. */
  job: Id,
}
