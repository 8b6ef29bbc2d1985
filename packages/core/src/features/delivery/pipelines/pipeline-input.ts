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

const InputValue = v.union([v.pipe(v.string(), v.maxLength(10_000)), v.number(), v.boolean(), v.array(v.unknown())])

/** Inputs of one pipeline: as in GitLab. */
export const maxInputs = 20

/** Values of all inputs of a pipeline, as JSON. */
const maxInputsLength = 100_000

const isShort = (inputs: object) => JSON.stringify(inputs).length <= maxInputsLength

const InputName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))

/** Values for the inputs that the pipeline file of a new pipeline declares, by name. */
export const PipelineInputs = v.pipe(
  v.record(v.string(), v.unknown()),
  // First, so that an error does not list thousands of entries.
  v.maxEntries(maxInputs),
  v.record(InputName, InputValue),
  v.check((inputs) => isShort(inputs), 'are too long'),
)

/** Values for the inputs of a pipeline file. */
export type PipelineInputs = Readonly<Record<string, unknown>>

/** The values of inputs as a list. */
export const inputList = v.pipe(
  v.array(
    v.strictObject({
      /** Name of the input. */
      name: InputName,
      /** Value of the input: a string, a number, a boolean or an array. */
      value: InputValue,
    }),
  ),
  v.maxLength(maxInputs),
  v.check((inputs) => isShort(inputs), 'are too long'),
)

/** Changes of such a list. */
export const inputChanges = v.pipe(
  v.array(
    v.strictObject({
      /** Name of the input. */
      name: InputName,
      /** New value of the input; required unless it is removed. */
      value: v.optional(InputValue),
      /** Whether to remove the value. Default: false. */
      destroy: v.optional(v.boolean(), false),
    }),
  ),
  v.maxLength(2 * maxInputs),
  v.check((inputs) => isShort(inputs), 'are too long'),
)
