import * as v from 'valibot'
import { variableTypes } from './variable.ts'

/** Limits of GitLab. */
const maxValueLength = 10_000

const Key = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_]+$/, "can contain only letters, digits and '_'."),
  v.maxLength(255, 'is too long (maximum is 255 characters)'),
)

const EnvironmentScope = v.pipe(
  v.string(),
  v.regex(/^[\w/${}. *-]+$/, "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"),
  v.maxLength(255),
)

const optionEntries = {
  /** `env_var`: an environment variable. `file`: the value is the content of a file. Default of a new variable: `env_var`. */
  variableType: v.optional(v.picklist(variableTypes)),
  /** Whether only pipelines of protected branches and tags have the variable. Default of a new variable: false. */
  protected: v.optional(v.boolean()),
  /**
   * Whether the value is hidden in logs: one line of at least 8 characters, which are letters, digits and `_+=/@:.~-`. Default of
   * a new variable: false.
   */
  masked: v.optional(v.boolean()),
  /** Whether references to other variables in the value are kept as they are. Default of a new variable: false. */
  raw: v.optional(v.boolean()),
  /** Text for people about the use of the variable: at most 255 characters. Null for none, the default of a new variable. */
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(255, 'is too long (maximum is 255 characters)')))),
}

const Value = v.pipe(v.string(), v.maxLength(maxValueLength, `is too long (maximum is ${maxValueLength} characters)`))

export const newVariableEntries = {
  /** Whether the value is masked, and no call returns it from now on. Default: false. */
  maskedAndHidden: v.optional(v.boolean(), false),
  /** Name: 1 to 255 letters, digits and `_`. Unique for each environment scope. */
  key: Key,
  /** Value: at most 10,000 characters. */
  value: Value,
  ...optionEntries,
}

export const variableChangeEntries = {
  /** Name of the variable. */
  key: v.string(),
  /** New value: at most 10,000 characters. */
  value: v.optional(Value),
  ...optionEntries,
}

export const scopeEntries = {
  /**
   * Environments that have the variable; `*` matches any text. Default of a new variable: `*`, and always for the instance.
   */
  environmentScope: v.optional(EnvironmentScope),
}

export const keyEntries = {
  /** Name of the variable. */
  key: v.string(),
}

export const filterEntries = {
  /** Selects one of several variables with the same name. */
  filter: v.optional(
    v.strictObject({
      /** Environment scope of the variable, exactly as it is stored. */
      environmentScope: v.optional(v.string()),
    }),
  ),
}
