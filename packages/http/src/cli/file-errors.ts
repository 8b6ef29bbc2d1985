import { getErrorCode } from '@forgelet/core/operations'
import { messageOf } from '../app/error-text.ts'

/** Messages for errors of SQLite and of the file system. */
const messages: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'it is not a database',
  SQLITE_CORRUPT: 'it is damaged: restore a backup',
  SQLITE_CANTOPEN: 'it cannot be opened: check its permissions and those of its folder',
  SQLITE_READONLY: 'it is read-only: check its permissions',
  SQLITE_READONLY_DIRECTORY: 'its folder is read-only',
  SQLITE_PERM: 'permission denied',
  SQLITE_FULL: 'the disk is full',
  SQLITE_BUSY: 'another process uses it',
  ENOSPC: 'the disk is full',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
}

/** Why a file could not be used. */
export const fileErrorMessage = (error: unknown): string => messages[getErrorCode(error)] ?? messageOf(error)
