import type { ErrorReason } from '../../kernel/error-codes.ts'
import { PlatformError } from '../../kernel/errors.ts'
import { getErrorCode, toError } from '../../shared/error-code.ts'
import { toConflictError } from '../conflict.ts'

/** Serialization failures and deadlocks: the transaction was rolled back and can be repeated. */
export const isSerializationFailure = (error: unknown): boolean => /^40(001|P01)$/.test(getErrorCode(error))

/** The transaction was aborted by the error of a previous statement. */
export const isAbortedTransaction = (error: unknown): boolean => getErrorCode(error) === '25P02'

/**
 * SQLSTATE classes and codes of sessions that have ended or are about to, and codes of system errors such as `ECONNRESET`.
 * Class 08: connection exception; 57P: shutdown, crash and recovery; 25P03: idle-in-transaction timeout; 25006: the
 * server has become a read-only standby, so that only another connection can write.
 */
const connectionErrorCode = /^(?:08...|57P..|25P03|25006|E(?!RR_)[A-Z_]{3,})$/

/** `pg` reports these states without a code. */
const connectionErrorMessage = /^(?:Connection terminated|Query read timeout|Client (?:has encountered|was closed))/

/** Whether the error of a statement means that its connection must not be used again. */
export const isConnectionError = (error: unknown): boolean => {
  const code = getErrorCode(error)
  return code === '' ? connectionErrorMessage.test(toError(error).message) : connectionErrorCode.test(code)
}

/** The database cannot be reached, or it ended the session before the commit. */
export const unavailableError = (cause: unknown): PlatformError =>
  new PlatformError('unavailable', 'The database is not available', { cause, retryAfter: 5 })

/** Has no `retryAfter`: a repeated call could make the change a second time. */
export const unknownOutcomeError = (cause: unknown): PlatformError =>
  new PlatformError(
    'unavailable',
    'The connection to the database was lost during the commit: check whether the change was made before you repeat it',
    { cause, reason: 'outcome_unknown' },
  )

type ErrorDetails = readonly [message: string, details: { readonly retryAfter?: number; readonly reason?: ErrorReason }]

const lockTimeout = '55P03'

/** Errors of statements, after which the transaction is rolled back and the connection remains usable. */
const statementErrors: Readonly<Record<string, ErrorDetails>> = {
  '40001': ['The database is busy', { retryAfter: 1 }],
  '40P01': ['The database is busy', { retryAfter: 1 }],
  '53100': ['The disk is full: nothing was changed', { reason: 'full' }],
  '53200': ['The database is out of memory', { retryAfter: 5 }],
  [lockTimeout]: ['The database is busy: another transaction holds a lock for too long', { retryAfter: 1 }],
  '57014': ['The database did not complete a statement in time', { retryAfter: 1 }],
}

/** A transaction of this process that holds a lock for too long. */
export const createLockTimeoutError = (): Error => toError(translateError({ code: lockTimeout }))

/** Turns an error of a statement into the domain error for it; returns other errors unchanged. */
export const translateError = (error: unknown): unknown => {
  const code = getErrorCode(error)
  const known = statementErrors[code]
  return known
    ? new PlatformError('unavailable', known[0], { cause: error, ...known[1] })
    : toConflictError(error, code === '23505')
}
