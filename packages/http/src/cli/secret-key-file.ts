import { readFileSync } from 'node:fs'
import type { Store } from '@forgelet/core'
import { getErrorCode } from '@forgelet/core/operations'
import { CliError } from './cli-error.ts'
import { fileErrorMessage } from './file-errors.ts'

const keyBytes = 32

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const missing = getErrorCode(error) === 'ENOENT' && 'it does not exist; create one with: openssl rand -base64 32'
    throw new CliError(`The key file ${path} cannot be used: ${missing || fileErrorMessage(error)}`)
  }
}

/**
 * Reads the key of stored secrets from a file, instead of the one beside the data.
 *
 * @throws CliError if the file cannot be read or does not contain a key
 */
export const readKeyFile = (path: string): NonNullable<Store['keyStore']> => {
  const key = Buffer.from(readText(path), 'base64')
  if (key.length !== keyBytes) {
    throw new CliError(`The key file ${path} cannot be used: it must contain ${keyBytes} bytes in Base64`)
  }
  return { read: () => key, getOrCreate: () => key }
}
