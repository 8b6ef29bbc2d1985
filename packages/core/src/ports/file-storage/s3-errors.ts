import { isPlatformError } from '../../kernel/errors.ts'
import { toError } from '../../shared/error-code.ts'
import { storageUnavailableError } from './errors.ts'

interface S3Error extends Error {
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const missingNames = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])

/** Undefined if the error says that a file or an upload does not exist; throws others, also that of a missing bucket. */
export const undefinedIfMissing = (error: unknown): undefined => {
  if (!missingNames.has((error as S3Error).name)) throw error
  return undefined
}

/** Undefined if the store does not implement the operation; throws other errors. */
export const undefinedIfNotImplemented = (error: unknown): undefined => {
  if ((error as S3Error).name !== 'NotImplemented') throw error
  return undefined
}

const outageNames = new Set(['TimeoutError', 'SlowDown', 'RequestTimeout', 'ServiceUnavailable', 'InternalError'])

/** Converts errors of the connection, which have a code such as `ECONNREFUSED`, and of responses. Others are of the content. */
export const toS3Error = (error: unknown): unknown => {
  if (isPlatformError(error)) return error
  const { name, code, $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode
  const isOutage =
    outageNames.has(name) || [429, 500, 502, 503, 504].includes(status ?? 0) || /^E[A-Z_]+$/.test(code ?? '')
  if (isOutage) return storageUnavailableError(error)
  if (status === undefined) return error
  return new Error(`The S3 storage rejected a request: ${name}: ${toError(error).message}`, { cause: error })
}
