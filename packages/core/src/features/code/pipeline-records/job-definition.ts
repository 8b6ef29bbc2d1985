/** What a runner executes: the job of a pipeline file, as it was written. */
export interface JobDefinition {
  /** Keys of the job, such as `script`, `image` and `artifacts`. */
  readonly keys: Readonly<Record<string, unknown>>
  /** Variables of the file and the job by name; they can refer to others. */
  readonly variables: Readonly<Record<string, string>>
}
