import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Programs of other people that are run to their end. With all that they need they are 140 MB, so they are no dependencies
 * of this workspace: the first run fetches them into a cache, and a machine without network goes without them and says so.
 */
const tools = {
  '@semantic-release/gitlab': '13.3.3',
  danger: '14.0.7',
  'release-it': '20.2.1',
  'semantic-release': '24.2.9',
} as const

const hash = createHash('sha256').update(JSON.stringify(tools)).digest('hex').slice(0, 12)
const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', `forgelet-tools-${hash}`)

const fetchInto = async (place: string) => {
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, dependencies: tools }))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  await promisify(execFile)('npm', ['install', ...quiet], { cwd: place, timeout: 280_000 })
}

const megabytes = (place: string): number => {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return Math.round(bytes / 1024 ** 2)
}

let found: Promise<string | undefined> | undefined

const install = async (): Promise<string | undefined> => {
  if (existsSync(folder)) return folder
  if (process.env.FORGELET_TOOLS === 'skip') {
    console.warn('FORGELET_TOOLS=skip: release and review tools are not run')
    return undefined
  }
  mkdirSync(dirname(folder), { recursive: true })
  const place = mkdtempSync(`${folder}-`)
  const start = performance.now()
  try {
    await fetchInto(place)
    const seconds = Math.round((performance.now() - start) / 1_000)
    console.log(`Fetched ${Object.keys(tools).join(', ')}: ${megabytes(place)} MB in ${seconds} s`)
    // Another run may have been quicker; what it brought is the same.
    if (!existsSync(folder)) renameSync(place, folder)
    return folder
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error).slice(0, 500)
    console.warn(
      `\n!!! SKIPPED: ${Object.keys(tools).join(', ')} could not be fetched and are NOT run.\n!!! ${reason}\n`,
    )
    return undefined
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The folder whose `node_modules` holds the programs; undefined where they cannot be had. */
export const installed = (): Promise<string | undefined> => {
  found ??= install()
  return found
}

export interface Run {
  /** Null when it was ended by a signal. */
  readonly code: number | null
  /** What it wrote, to both outputs. */
  readonly output: string
}

/** Runs a program of theirs on this Node, in a folder, with an environment of its own. Does not block: it talks to us. */
export const run = (
  program: string,
  given: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Run> =>
  new Promise((resolve) => {
    const path = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`
    const identity = { GIT_AUTHOR_NAME: 'Alice', GIT_AUTHOR_EMAIL: 'alice@example.com' }
    const committer = { GIT_COMMITTER_NAME: 'Alice', GIT_COMMITTER_EMAIL: 'alice@example.com' }
    const whole = { PATH: path, HOME: cwd, NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0', ...identity, ...committer, ...env }
    const child = execFile(
      process.execPath,
      [join(folder, 'node_modules', program), ...given],
      { cwd, env: whole, timeout: 100_000, maxBuffer: 16 * 1024 ** 2 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: `${stdout}\n${stderr}` }),
    )
  })
