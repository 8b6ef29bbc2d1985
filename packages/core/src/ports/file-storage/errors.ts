import { PlatformError } from '../../kernel/errors.ts'
import { getErrorCode } from '../../shared/error-code.ts'

/** The storage does not respond, or rejects requests because it is overloaded. */
export const storageUnavailableError = (cause: unknown): PlatformError =>
  new PlatformError('unavailable', 'The file storage is not available', { cause, retryAfter: 5 })

const outageCodes = new Set(['EIO', 'ESTALE', 'ETIMEDOUT', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTCONN'])
/** `ELOOP`: a symbolic link, which no write creates. */
const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'])

/** Converts errors of a full disk and of an unreachable network file system. */
export const toFolderError = (error: unknown): unknown => {
  const code = getErrorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new PlatformError('unavailable', 'The file storage is full', { reason: 'full', cause: error })
  return outageCodes.has(code) ? storageUnavailableError(error) : error
}

/** Undefined if the error says that a file or folder does not exist; throws other errors. */
export const undefinedIfMissing = (error: unknown): undefined => {
  if (!missingCodes.has(getErrorCode(error))) throw toFolderError(error)
  return undefined
}
