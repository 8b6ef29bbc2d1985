import { readFileSync } from 'node:fs'
import type { Store } from '@forgelet/core'
import { Failure } from './failure.ts'
import { codeOf, fileFault } from './file-faults.ts'

const keyBytes = 32

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const fault = codeOf(error) === 'ENOENT' ? 'it does not exist; make one with: openssl rand -base64 32' : undefined
    throw new Failure(`The key file ${path} cannot be used: ${fault ?? fileFault(error)}`)
  }
}

/**
 * The key of stored secrets that a file holds, in the place of the one that lies with the data.
 *
 * @throws Failure when the file cannot be read or holds no key
 */
export const keyIn = (path: string): NonNullable<Store['kept']> => {
  const key = Buffer.from(read(path), 'base64')
  if (key.length !== keyBytes) {
    throw new Failure(`The key file ${path} cannot be used: it has to hold ${keyBytes} bytes as Base64`)
  }
  return { read: () => key, make: () => key }
}
