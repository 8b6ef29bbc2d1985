import { getErrorCode } from '@forgelet/core/operations'

/** The message of an error; for an `AggregateError` without one, such as of several connection attempts, that of the first. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '' && error.errors.length) return messageOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message || getErrorCode(error) || error.name
}

/** An error and its cause in one line, for logs and the command line. Replies contain no causes. */
export const describeError = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`
}
