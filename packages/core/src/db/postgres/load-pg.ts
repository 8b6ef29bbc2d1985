import { createRequire } from 'node:module'
import { getErrorCode } from '../../shared/error-code.ts'

/**
 * Loaded on first use: `pg` is an optional dependency.
 *
 * @throws Error that names the package if it is not installed
 */
export const loadPg = (): typeof import('pg') => {
  try {
    return createRequire(import.meta.url)('pg')
  } catch (error) {
    if (getErrorCode(error) !== 'MODULE_NOT_FOUND') throw error
    throw new Error('PostgreSQL requires the package pg: npm install pg', { cause: error })
  }
}
