/**
 * Why an operation was refused.
 *
 * | code | meaning |
 * |---|---|
 * | `unauthenticated` | nobody is signed in, or the credential is unknown, expired or revoked |
 * | `invalid_input` | the call itself is malformed: a parameter is missing, of the wrong type or not allowed |
 * | `not_found` | missing, or invisible to the caller: the two are never told apart |
 * | `forbidden` | visible, but not allowed |
 * | `insufficient_scope` | the token does not open this operation |
 * | `not_licensed` | a paid-tier operation on a platform that runs as `free` |
 * | `invalid` | well-formed, but a rule of the thing itself refuses it |
 * | `conflict` | it already exists, or it changed meanwhile |
 * | `unprocessable` | well-formed and allowed, but nothing useful is left to do |
 * | `limited` | asked too often; try again later |
 * | `unavailable` | the database is busy or full, or a service outside does not answer; nothing was changed here, try again later |
 */
export type ErrorCode =
  | 'unauthenticated'
  | 'invalid_input'
  | 'not_found'
  | 'forbidden'
  | 'insufficient_scope'
  | 'not_licensed'
  | 'invalid'
  | 'conflict'
  | 'unprocessable'
  | 'limited'
  | 'unavailable'

/** One complaint about one input field, or about several together. Names are input names; nested ones are paths such as `levels[0].userId`. */
export interface Problem {
  /** Names of the input fields it is about; empty where it is about the whole. */
  readonly fields: readonly string[]
  /** What is wrong with them, to follow their names: `is missing`. */
  readonly message: string
}

interface Details {
  readonly problems?: readonly Problem[]
  readonly cause?: unknown
  /** What could not be found, as a reader says it: `Project`. Absent for rows that have no name of their own. */
  readonly kind?: string
  /** Scopes any of which would have been enough. */
  readonly scopes?: readonly string[]
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number
  /** Finer than the code, where callers need it: `expired`, `revoked`, `blocked`. */
  readonly reason?: string
}

/** Every refusal of the platform. Anything else that is thrown is a defect. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  /** What kind of refusal it is: what callers decide by. */
  readonly code: ErrorCode
  /** For `invalid_input` and `invalid`: field by field, in the order of the input. Else empty. */
  readonly problems: readonly Problem[]
  /** For `not_found`: what could not be found, as a reader says it: `Project`. */
  readonly kind: string | undefined
  /** For `insufficient_scope`: scopes any of which would have been enough. */
  readonly scopes: readonly string[] | undefined
  /** For `limited` and `unavailable`: seconds after which another try makes sense. */
  readonly retryAfter: number | undefined
  /** Finer than the code, where callers need it: `expired`, `revoked`, `blocked`, `full`. */
  readonly reason: string | undefined

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.problems = details.problems ?? []
    this.kind = details.kind
    this.scopes = details.scopes
    this.retryAfter = details.retryAfter
    this.reason = details.reason
  }

  /** What a client may be told: code, message and problems, nothing of the cause. */
  toJSON(): { code: ErrorCode; message: string; problems: readonly Problem[] } {
    return { code: this.code, message: this.message, problems: this.problems }
  }
}

/** True for a refusal of the platform, also one that crossed a realm or a second copy of this package. */
export const isPlatformError = (error: unknown): error is PlatformError =>
  error instanceof Error && error.name === 'PlatformError' && 'code' in error

const sentence = ({ fields, message }: Problem) => (fields.length ? `${fields.join(', ')} ${message}` : message)

/** The call is malformed. Problems keep the order in which the input declares its fields; repeated ones are dropped. */
export const invalidInput = (problems: readonly Problem[]): PlatformError => {
  const distinct = [...new Map(problems.map((problem) => [sentence(problem), problem])).values()]
  return new PlatformError('invalid_input', distinct.map(sentence).join(', '), { problems: distinct })
}

/** A rule of the thing refuses the values: `invalid({ title: ['has already been taken'] })`, or one sentence about the whole. */
export const invalid = (complaint: string | Readonly<Record<string, readonly string[]>>): PlatformError => {
  if (typeof complaint === 'string') return new PlatformError('invalid', complaint)
  const problems = Object.entries(complaint).flatMap(([field, messages]) =>
    messages.map((message) => ({ fields: [field], message })),
  )
  return new PlatformError('invalid', problems.map(sentence).join(', '), { problems })
}

/** Missing or invisible. `kind` is the thing's name where its family says it (`Label`), absent for plain rows and empty for what is no row. */
export const notFound = (kind?: string): PlatformError =>
  new PlatformError('not_found', `${kind || 'It'} was not found`, kind === undefined ? {} : { kind })

/** It is there already, or it changed since the caller looked. */
export const conflict = (message: string): PlatformError => new PlatformError('conflict', message)

/** Visible, but not allowed. */
export const forbidden = (message: string, reason?: string): PlatformError =>
  new PlatformError('forbidden', message, reason === undefined ? {} : { reason })
