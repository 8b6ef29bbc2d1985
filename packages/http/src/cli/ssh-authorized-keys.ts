import { isPlatformError } from '@forgelet/core'
import { toFingerprint } from '../ssh/fingerprint.ts'
import { UsageError } from './cli-error.ts'
import { formatForcedCommand } from './forced-command.ts'
import type { Invocation } from './invocation.ts'
import { openPlatform } from './open-platform.ts'
import { type sshKeyOptions, sshServeOptions } from './options.ts'

/** What every SSH key starts with in Base64: the length and the name of its type. */
const typePattern = /^[a-z0-9@.-]{1,100}$/
const keyPattern = /^[A-Za-z0-9+/]{1,20000}={0,2}$/

/**
 * Prints the line of `authorized_keys` for a key that can sign in; nothing for others. The line permits `forgelet ssh serve` with this key
 * and no terminal, forwarding or other command.
 */
export const sshAuthorizedKeysCommand = async ({
  args: [account, fingerprint = '', type = '', key = ''],
  options,
  sourceOf,
}: Invocation<typeof sshKeyOptions>): Promise<void> => {
  // Other accounts of the machine keep their own keys: a key of the forge must never open them.
  if (account !== options.account) return
  if (!typePattern.test(type) || !keyPattern.test(key)) throw new UsageError('The key must be given as %f %t %k')
  const sshKey = toFingerprint(Buffer.from(key, 'base64'))
  if (fingerprint !== `SHA256:${sshKey}`) throw new UsageError('The fingerprint is not that of the key')
  const { platform } = await openPlatform(options, {}, { existing: true, quiet: true })
  try {
    await platform.as({ sshKey }).keys.getOwner()
  } catch (error) {
    if (isPlatformError(error) && ['unauthenticated', 'forbidden'].includes(error.code)) return
    throw error
  } finally {
    await platform.close()
  }
  const command = formatForcedCommand(['ssh', 'serve', '--key', fingerprint], sshServeOptions, {
    values: options,
    sourceOf,
  })
  process.stdout.write(`command="${command.replaceAll('"', '\\"')}",restrict ${type} ${key}\n`)
}
