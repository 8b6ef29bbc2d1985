import { readFileSync } from 'node:fs'
import { getErrorCode } from '@forgelet/core/operations'
import { CliError } from './cli-error.ts'
import { fileErrorMessage } from './file-errors.ts'

const readLine = (path: string, kind: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = getErrorCode(error) === 'ENOENT' ? 'it does not exist' : fileErrorMessage(error)
    throw new CliError(`The ${kind} file ${path} cannot be used: ${reason}`)
  }
}

/**
 * Reads a secret in one line: printable ASCII characters, as headers have them.
 *
 * @throws CliError if the file cannot be used
 */
export const readSecretFile = (path: string): string => {
  const secret = readLine(path, 'secret')
  if (/^[\x20-\x7e]{8,}$/.test(secret)) return secret
  throw new CliError(`The secret file ${path} cannot be used: it must contain one line of at least 8 characters`)
}

/**
 * Reads `name:password` in one line; the password may contain colons, the name may not (RFC 7617, section 2).
 *
 * @throws CliError if the file cannot be used
 */
export const readCredentialsFile = (path: string): { readonly username: string; readonly password: string } => {
  const line = readLine(path, 'credentials')
  const colon = line.indexOf(':')
  if (colon < 1 || colon === line.length - 1 || line.includes('\n')) {
    throw new CliError(`The credentials file ${path} cannot be used: it must contain one line, name:password`)
  }
  return { username: line.slice(0, colon), password: line.slice(colon + 1) }
}
