import { UsageError } from './usage-error.ts'

/** Something went wrong that its sentence explains: exit code 1 unless told otherwise. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** 0 done, 1 failed, 2 the command line is wrong, 3 the data belongs to a newer version, 130 stopped at once. */
export const exitCodes = { done: 0, failed: 1, usage: 2, newerData: 3, stopped: 130 } as const

/** What an error says, for those that say it inside: several attempts to connect, or a code only. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '' && error.errors.length) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message || String((error as { code?: unknown }).code ?? error.name)
}

export const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageError) return exitCodes.usage
  return error instanceof Failure ? error.exitCode : exitCodes.failed
}
