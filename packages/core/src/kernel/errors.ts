import type { ErrorCode, ErrorReason } from './error-codes.ts'

/** A problem with one input field, or with several together. Nested fields are named by paths such as `levels[0][userId]`. */
export interface Problem {
  /** The names of the input fields; empty for a problem of the whole input. */
  readonly fields: readonly string[]
  /** What is wrong, to be shown after the field names: `is missing`. */
  readonly message: string
  /** How to correct the call, as a sentence for developers: `Did you mean 'name'?`. Not part of HTTP responses. */
  readonly hint?: string
}

interface PlatformErrorDetails {
  readonly problems?: readonly Problem[]
  readonly cause?: unknown
  /** The display name of what was not found: `Project`. Omitted for kinds without a name. */
  readonly kind?: string
  /** The id or name of what was not found, if it is known. */
  readonly reference?: number | string | undefined
  /** The scopes each of which is sufficient. */
  readonly scopes?: readonly string[]
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number
  readonly reason?: ErrorReason
}

/**
 * The least number of frames in a stack trace. The failed call of the application is below the frames of the platform, which are
 * often more than the ten that Node.js keeps.
 */
const minStackFrames = 50

/** An expected error of the platform. Any other thrown error is a bug. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  /** The kind of error, for callers to branch on. */
  readonly code: ErrorCode
  /** For `invalid_input` and `invalid`: the problems by field, in the order of the input. Otherwise empty. */
  readonly problems: readonly Problem[]
  /** For `not_found`: the display name of what was not found: `Project`. */
  declare readonly kind: string | undefined
  /** For `not_found`: the id or name that was looked for, if it is known. */
  declare readonly reference: number | string | undefined
  /** For `insufficient_scope`: the scopes each of which is sufficient. */
  declare readonly scopes: readonly string[] | undefined
  /** For `limited` and `unavailable`: seconds to wait before a retry. */
  declare readonly retryAfter: number | undefined
  /** More specific than the code. */
  declare readonly reason: ErrorReason | undefined

  constructor(code: ErrorCode, message: string, details: PlatformErrorDetails = {}) {
    const { problems = [], cause, kind, reference, scopes, retryAfter, reason } = details
    const { stackTraceLimit } = Error
    const isShort = stackTraceLimit > 0 && stackTraceLimit < minStackFrames
    // `Reflect.set` ignores that the setting can be read-only.
    if (isShort) Reflect.set(Error, 'stackTraceLimit', minStackFrames)
    super(message, cause === undefined ? undefined : { cause })
    if (isShort) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    this.code = code
    this.problems = problems
    // Only the details that apply are printed.
    for (const [name, value] of Object.entries({ kind, reference, scopes, retryAfter, reason })) {
      Object.defineProperty(this, name, { value, enumerable: value !== undefined })
    }
  }

  /** The parts that are safe to send to a client: code, message and problems, without the cause. */
  toJSON(): { code: ErrorCode; message: string; problems: readonly Problem[] } {
    return { code: this.code, message: this.message, problems: this.problems }
  }
}

/** Whether an error is a `PlatformError`, also one of another realm or another copy of this package. */
export const isPlatformError = (error: unknown): error is PlatformError =>
  error instanceof Error && error.name === 'PlatformError' && 'code' in error

/** Whether writes are rejected because the data is read-only, or because its file was deleted or replaced. */
export const isWriteRejection = (error: unknown): boolean =>
  isPlatformError(error) && (error.reason === 'readonly' || error.reason === 'replaced')

const formatProblem = ({ fields, message }: Problem) => (fields.length ? `${fields.join(', ')} ${message}` : message)

const formatProblems = (problems: readonly Problem[]): string => {
  const sentences = new Set(problems.flatMap(({ hint }) => hint ?? []))
  return [problems.map(formatProblem).join(', '), ...sentences].join(sentences.size ? '. ' : '')
}

/** An error for malformed input. Problems keep the order of the fields; duplicates are dropped. */
export const invalidInput = (problems: readonly Problem[]): PlatformError => {
  const distinct = [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()]
  return new PlatformError('invalid_input', formatProblems(distinct), { problems: distinct })
}

/**
 * An error for values that violate a rule: `invalid({ title: ['has already been taken'] })`, or a message without fields.
 *
 * @param hint how to correct the call
 */
export const invalid = (
  details: string | Readonly<Record<string, readonly string[]>>,
  hint?: string,
): PlatformError => {
  if (typeof details === 'string') return new PlatformError('invalid', details)
  const problems = Object.entries(details).flatMap(([field, messages]) =>
    messages.map((message) => ({ fields: [field], message, ...(hint !== undefined && { hint }) })),
  )
  return new PlatformError('invalid', formatProblems(problems), { problems })
}

/**
 * An error for missing or invisible resources. `kind`: the display name (`Label`); omitted for kinds without a name, empty
 * where nothing is named, such as a route. `reference`: the id or name that the input contains.
 */
export const notFound = (kind?: string, reference?: number | string): PlatformError =>
  new PlatformError(
    'not_found',
    kind ? `${kind} was not found` : 'Not found',
    kind === undefined ? {} : { kind, reference },
  )

/** An error for a resource that already exists or was modified since the caller read it. */
export const conflict = (message: string): PlatformError => new PlatformError('conflict', message)

/** An error for operations that the caller is not allowed to use on a visible resource. */
export const forbidden = (message: string, reason?: ErrorReason): PlatformError =>
  new PlatformError('forbidden', message, reason === undefined ? {} : { reason })
