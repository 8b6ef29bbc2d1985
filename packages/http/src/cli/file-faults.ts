import { reasonOf } from './failure.ts'

/** What SQLite and the system say about files, as a reader says it. */
const faults: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'it is not a database',
  SQLITE_CORRUPT: 'it is damaged: bring back a copy',
  SQLITE_CANTOPEN: 'it cannot be opened: look at its permissions and those of its folder',
  SQLITE_READONLY: 'it cannot be written: look at its permissions',
  SQLITE_READONLY_DIRECTORY: 'its folder cannot be written',
  SQLITE_PERM: 'its permissions forbid it',
  SQLITE_FULL: 'the disk is full',
  SQLITE_BUSY: 'another program holds it',
  ENOSPC: 'the disk is full',
  EACCES: 'the permissions forbid it',
  EROFS: 'it lies on a disk that cannot be written',
}

export const codeOf = (error: unknown): string =>
  error instanceof Error ? String((error as { code?: unknown }).code) : ''

/** Why a file could not be used. */
export const fileFault = (error: unknown): string => faults[codeOf(error)] ?? reasonOf(error)
