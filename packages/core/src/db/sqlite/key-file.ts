import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { KeyStore } from '../../kernel/key-store.ts'
import { defined } from '../../shared/defined.ts'
import { getErrorCode } from '../../shared/error-code.ts'

const keyBytes = 32

/**
 * A key in a file with mode 0600, as one line of Base64. Created on first use; when several processes create it at the same
 * time, all use the key of the first.
 */
export const createKeyFile = (path: string): KeyStore => {
  const read = () => {
    try {
      return Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return undefined
      throw error
    }
  }
  const getOrCreate = () => {
    const existing = read()
    if (existing) return existing
    // Written to a temporary file and then linked, so that readers never see an incomplete key.
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeSync(file, `${randomBytes(keyBytes).toString('base64')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    try {
      linkSync(draft, path)
    } catch (error) {
      if (getErrorCode(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
    return defined(read())
  }
  return { read, getOrCreate }
}

let processKey: Uint8Array | undefined

/** A key for in-memory databases, which exists as long as the process. */
export const inMemoryKeyStore: KeyStore = {
  read: () => processKey,
  getOrCreate: () => (processKey ??= randomBytes(keyBytes)),
}
