export const variableTypes = ['env_var', 'file'] as const

/** A variable that the pipelines of a project, of the projects of a group, or of the whole instance have. */
export interface CiVariable {
  /** Name of the variable: letters, digits and underscores. */
  key: string
  /** Value of the variable, encrypted in the database; null for a hidden one. */
  value: string | null
  /** `env_var`: an environment variable. `file`: the value is the content of a file. */
  variableType: (typeof variableTypes)[number]
  /** Whether only pipelines of protected branches and tags have the variable. Stored for hosts that run pipelines. */
  protected: boolean
  /** Whether hosts that run pipelines hide the value in logs. */
  masked: boolean
  /** Whether the value is masked and can no longer be read. It cannot be shown again. */
  hidden: boolean
  /** Whether references to other variables in the value are kept as they are. */
  raw: boolean
  /** Environments that have the variable; `*` matches any text. Always `*` for the instance. */
  environmentScope: string
  /** Text for people about the use of the variable; null for none. */
  description: string | null
}
