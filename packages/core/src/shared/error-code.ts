/** The code of an error, as of Node.js, SQLite or PostgreSQL: `ENOENT`, `SQLITE_FULL`. Empty for other values. */
export const getErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code ?? '') : ''

/** A thrown value as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
