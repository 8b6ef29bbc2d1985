import { createRequire } from 'node:module'
import type ssh2 from 'ssh2'

/**
 * Loads the optional package `ssh2`. By `require`, so that bundlers do not follow it to its native parts.
 *
 * @throws Error if the package is not installed
 */
export const loadSsh2 = (): typeof ssh2 => {
  try {
    return createRequire(import.meta.url)('ssh2')
  } catch (error) {
    throw new Error('Git over SSH requires the package ssh2: install it with npm install ssh2', { cause: error })
  }
}
