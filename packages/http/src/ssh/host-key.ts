import { readFile, writeFile } from 'node:fs/promises'
import { getErrorCode } from '@forgelet/core/operations'
import { loadSsh2 } from './load-ssh2.ts'

/** An Ed25519 key in the format of OpenSSH. */
export const generateHostKey = (): string => loadSsh2().utils.generateKeyPairSync('ed25519').private

/**
 * Reads the private key of the server from a file. If it does not exist, it is created, readable by its owner only: clients trust this
 * key from their first connection on, so it must stay the same.
 *
 * @throws Error if the file cannot be read or written, or contains no private key without a passphrase
 */
export const readHostKey = async (path: string): Promise<string> => {
  try {
    await writeFile(path, generateHostKey(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error
  }
  const text = await readFile(path, 'utf8')
  const key = loadSsh2().utils.parseKey(text)
  if (key instanceof Error || Array.isArray(key) || !key.isPrivateKey())
    throw new Error(`${path} contains no private SSH key without a passphrase`)
  return text
}
