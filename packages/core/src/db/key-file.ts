import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { KeptKey } from '../kernel/kept-key.ts'

const size = 32
const codeOf = (error: unknown) => (error as { code?: unknown }).code

/**
 * A key in a file that only its owner may read: one line of Base64. Made on first use; of processes that make it at the
 * same moment one wins, and all of them use its key.
 */
export const keyFile = (path: string): KeptKey => {
  const read = () => {
    try {
      return Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }
  const make = () => {
    const known = read()
    if (known) return known
    // Written under another name first: whoever sees the file sees the whole key.
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeSync(file, `${randomBytes(size).toString('base64')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    try {
      linkSync(draft, path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
    return read() as Uint8Array
  }
  return { read, make }
}

let ofThisProcess: Uint8Array | undefined

/** A key for data in memory: it ends with the process, as they do. */
export const keyInMemory: KeptKey = {
  read: () => ofThisProcess,
  make: () => (ofThisProcess ??= randomBytes(size)),
}
