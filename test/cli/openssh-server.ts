import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '../support/built-programs.ts'
import { findFreePort } from '../support/free-port.ts'
import type { SshServer } from '../support/ssh-client.ts'

const program = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/libexec/sshd'].find((path) => existsSync(path))

/** An sshd on a free port, with the user of this process as the account of git. */
export interface OpenSshServer extends SshServer {
  readonly account: string
  /** What sshd has logged. */
  log(): string
  close(): Promise<void>
}

/** @param args options of `forgelet ssh authorized-keys` */
export const startOpenSsh = async (folder: string, args: readonly string[]): Promise<OpenSshServer> => {
  if (program === undefined) throw new Error('sshd is not installed: apt-get install openssh-server')
  const { username: account, uid } = userInfo()
  // The folder of the processes without privileges, which packages create at the start of their service.
  if (uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const port = await findFreePort()
  const hostKey = join(folder, 'host_key')
  execFileSync('ssh-keygen', ['-q', '-N', '', '-t', 'ed25519', '-f', hostKey])
  const cli = await buildCommand()
  // sshd requires a program of root in folders of root, which Node.js in node_modules need not be.
  const command = ['/usr/bin/env', process.execPath, cli, 'ssh', 'authorized-keys', '--account', account, ...args]
  const config = join(folder, 'sshd_config')
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    'PidFile none',
    'AuthorizedKeysFile none',
    `AuthorizedKeysCommand ${command.join(' ')} %u %f %t %k`,
    `AuthorizedKeysCommandUser ${account}`,
    'AuthenticationMethods publickey',
    'PermitRootLogin forced-commands-only',
    'AcceptEnv GIT_PROTOCOL FORGELET_*',
    'MaxStartups 100',
    'LogLevel VERBOSE',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const child = spawn(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('Server listening')) resolve()
    })
    child.once('exit', () => reject(new Error(`sshd has ended: ${log}`)))
  })
  return {
    account,
    port,
    hostPublicKey: readFileSync(`${hostKey}.pub`, 'utf8').split(' ').slice(0, 2).join(' '),
    log: () => log,
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
