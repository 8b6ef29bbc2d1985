import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The result of a git command. */
export interface GitResult {
  /** Null if a signal ended git. */
  readonly code: number | null
  /** Standard output without the last line feed. */
  readonly output: string
  /** What git shows to its user. */
  readonly messages: string
}

/** The installed git as a client, without the configuration of this machine. */
export interface GitClient {
  /** A temporary folder. */
  readonly folder: string
  /** Runs git in a folder below the temporary one. */
  run(place: string, ...args: readonly string[]): Promise<GitResult>
  /** Like `run`, but throws if git fails. Returns its output. */
  git(place: string, ...args: readonly string[]): Promise<string>
  /** Starts git and returns a function that kills it. */
  start(place: string, ...args: readonly string[]): { kill(): void; readonly exit: Promise<unknown> }
  /** Writes files and commits them. Returns the id of the commit. */
  commit(place: string, message: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string>
  remove(): void
}

const author = { GIT_AUTHOR_NAME: 'Bob Builder', GIT_AUTHOR_EMAIL: 'bob@example.com' }
const committer = { GIT_COMMITTER_NAME: 'Bob Builder', GIT_COMMITTER_EMAIL: 'bob@example.com' }

export const createGitClient = (): GitClient => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-git-client-'))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    ...author,
    ...committer,
  }
  const run: GitClient['run'] = (place, ...args) =>
    new Promise((resolve) => {
      const child = execFile(
        'git',
        ['-c', 'init.defaultBranch=main', '-c', 'advice.detachedHead=false', ...args],
        { cwd: join(folder, place), env, maxBuffer: 64 * 1024 ** 2 },
        (_error, stdout, stderr) =>
          resolve({ code: child.exitCode, output: stdout.replace(/\n$/, ''), messages: stderr }),
      )
    })
  const git: GitClient['git'] = async (place, ...args) => {
    const { code, output, messages } = await run(place, ...args)
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${messages}`)
    return output
  }
  return {
    folder,
    run,
    git,
    start: (place, ...args) => {
      const child = spawn('git', args, { cwd: join(folder, place), env, stdio: 'ignore' })
      const exit = new Promise((resolve) => child.once('exit', resolve))
      return { kill: () => void child.kill('SIGKILL'), exit }
    },
    async commit(place, message, files) {
      for (const [path, content] of Object.entries(files)) {
        const target = join(folder, place, path)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, content)
      }
      await git(place, 'add', '--all')
      await git(place, 'commit', '--quiet', '--message', message)
      return git(place, 'rev-parse', 'HEAD')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A URL with credentials: `http://bob:bob-token@…`. */
export const withPassword = (url: string, password: string, username = 'oauth2'): string => {
  const parsed = new URL(url)
  parsed.username = username
  parsed.password = password
  return parsed.href
}
