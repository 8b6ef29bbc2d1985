import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { buildCommand } from '../support/built-programs.ts'
import { onEachFile } from '../support/each-file.ts'

type Variables = Readonly<Record<string, string>>

interface RunOptions {
  readonly env?: Variables
  /** Arguments of Node itself. */
  readonly node?: readonly string[]
  /** The path of the command; default: a build of it. */
  readonly program?: string
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Served {
  readonly url: string
  readonly child: ChildProcess
  /** The output so far. */
  readonly output: { stdout: string; stderr: string }
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Ended>
}

/** The working directory of the command line; empty at the start of a test file, removed at its end. */
export const folder = mkdtempSync(join(tmpdir(), 'forgelet-cli-'))

const running = new Set<ChildProcess>()
const killRemaining = async () => {
  const remaining = [...running]
  for (const child of remaining) child.kill('SIGKILL')
  await Promise.all(remaining.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
}

onEachFile(() => {
  mkdirSync(folder, { recursive: true })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(killRemaining)
})

/** Without the settings of the developer's own environment, except for the SQLite driver of this test run. */
const environment = (variables: Variables = {}): NodeJS.ProcessEnv => ({
  FORGELET_SQLITE_DRIVER: process.env.FORGELET_SQLITE_DRIVER,
  PATH: process.env.PATH,
  HOME: folder,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ...variables,
})

const launch = async (args: readonly string[], { env, node = [], program }: RunOptions) => {
  const child = spawn(process.execPath, [...node, program ?? (await buildCommand()), ...args], {
    cwd: folder,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const ended = once(child, 'close').then(([code]): Ended => {
    running.delete(child)
    return { code, ...output }
  })
  return { child, output, ended }
}

/** Runs the command line until it exits. */
export const forgelet = async (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  (await launch(args, options)).ended

/** Starts `forgelet serve`, by default on a free port, and waits until it listens. */
export async function serving(args: readonly string[], options: RunOptions = {}): Promise<Served> {
  const { child, output, ended } = await launch(['serve', ...args], { ...options, env: { PORT: '0', ...options.env } })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, found] = /^listening on (\S+)\n/.exec(output.stdout) ?? []
      if (found !== undefined) resolve(found)
    })
    ended.then(({ stderr }) => reject(new Error(`It did not start: ${stderr}`)), reject)
  })
  return {
    url,
    child,
    output,
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** One call with a token, as JSON. */
export const call = async (url: string, path: string, token: string, body?: object) => {
  const response = await fetch(`${url}/api/v4${path}`, {
    headers: { 'PRIVATE-TOKEN': token, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as never, headers: response.headers }
}
