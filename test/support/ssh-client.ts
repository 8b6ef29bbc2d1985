import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GitClient, GitResult } from './git-client.ts'

/** Where an SSH server listens. */
export interface SshServer {
  readonly port: number
  /** As in `known_hosts`, without the name of the host. */
  readonly hostPublicKey: string
}

/** The installed ssh as a client, with keys of its own and without the configuration of this machine. */
export interface SshClient {
  /** The file of a private key. */
  keyFile(name: string): string
  publicKey(name: string): string
  /** Trusts a server, and uses it for the next commands. */
  connectTo(server: SshServer): void
  /** Runs ssh. A server in this process must not be blocked by it. */
  ssh(key: string, ...words: readonly string[]): Promise<{ code: number | null; output: string; messages: string }>
  /** Runs git with a key. */
  git(key: string, client: GitClient, place: string, ...args: readonly string[]): Promise<GitResult>
  /** The options of ssh. */
  options(key: string): readonly string[]
  /** The options of git that select the key. */
  gitOptions(key: string, ...options: readonly string[]): readonly string[]
  remove(): void
}

/** @param types arguments of ssh-keygen by the names of the keys */
export const createSshClient = (types: Readonly<Record<string, readonly string[]>>): SshClient => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-ssh-client-'))
  const keyFile = (name: string) => join(folder, name)
  for (const [name, type] of Object.entries(types))
    execFileSync('ssh-keygen', ['-q', '-N', '', '-C', name, '-f', keyFile(name), '-t', ...type])
  let port = 0
  const options = (key: string) => [
    ...['-i', keyFile(key), '-p', String(port), '-F', '/dev/null'],
    ...['IdentitiesOnly=yes', 'BatchMode=yes', 'StrictHostKeyChecking=yes', 'LogLevel=ERROR']
      .concat(`UserKnownHostsFile=${join(folder, 'known_hosts')}`)
      .flatMap((option) => ['-o', option]),
  ]
  const gitOptions: SshClient['gitOptions'] = (key, ...more) => [
    '-c',
    `core.sshCommand=${['ssh', ...options(key), ...more].join(' ')}`,
  ]
  return {
    options,
    keyFile,
    publicKey: (name) => readFileSync(`${keyFile(name)}.pub`, 'utf8'),
    connectTo(server) {
      port = server.port
      writeFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${port} ${server.hostPublicKey}\n`)
    },
    ssh: (key, ...words) =>
      new Promise((resolve) => {
        const child = execFile('ssh', [...options(key), ...words], { timeout: 20_000 }, (_, output, messages) =>
          resolve({ code: child.exitCode, output, messages }),
        )
        child.stdin?.end()
      }),
    git: (key, client, place, ...args) => client.run(place, ...gitOptions(key), ...args),
    gitOptions,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
