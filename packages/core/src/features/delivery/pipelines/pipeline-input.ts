import * as v from 'valibot'
import { Id } from '../../../kernel/inputs.ts'

export const pipelineInput = {
  /** Id, not iid, of the pipeline. */
  pipeline: Id,
}

const Variable = v.strictObject({
  /** Name of the variable: letters, digits and underscores. */
  key: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255), v.regex(/^[a-zA-Z0-9_]+$/)),
  /** Value of the variable, at most 10,000 characters. */
  value: v.pipe(v.string(), v.maxLength(10_000)),
  /** `env_var` (default): an environment variable. `file`: the value is the content of a file. */
  variableType: v.optional(v.picklist(['env_var', 'file']), 'env_var'),
})

/** The variables of a new pipeline. */
export const pipelineVariables = v.optional(v.pipe(v.array(Variable), v.maxLength(100)), [])
