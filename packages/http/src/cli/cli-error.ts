/** 0 success, 1 failure, 2 invalid command line, 3 data of a newer version, or of one from before the first release, 130 second SIGINT or SIGTERM. */
export const exitCodes = { success: 0, failure: 1, usage: 2, unknownData: 3, interrupted: 130 } as const

/** An expected failure; the user sees its message only. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command line is invalid. */
export class UsageError extends CliError {
  override readonly name = 'UsageError'

  constructor(message: string) {
    super(message, exitCodes.usage)
  }
}
