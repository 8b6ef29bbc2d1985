/** Why a pipeline file is invalid. The messages are those of GitLab where it has documented ones. */
export class CiConfigError extends Error {
  override readonly name = 'CiConfigError'
  readonly problems: readonly string[]

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
