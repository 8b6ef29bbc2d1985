/** Why a pipeline file is invalid. The messages are those of GitLab where it has documented ones. */
export class CiConfigError extends Error {
  override readonly name = 'CiConfigError'
  readonly problems: readonly string[]

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** The file is valid, but its rules leave no job for the pipeline. */
export class NoJobsError extends CiConfigError {}
