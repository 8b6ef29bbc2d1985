import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installWithPnpm } from '../support/pnpm.ts'

/**
 * Published programs that the tests run. With all dependencies, `pipelines` takes 125 MB, `renovate` 340 MB and `backstage` 300 MB, so they are
 * not dependencies of this workspace: the first run downloads them into a cache, and without network the tests are skipped with a
 * warning.
 */
const toolSets = {
  pipelines: {
    '@changesets/cli': '2.31.1',
    '@semantic-release/gitlab': '13.3.3',
    'changesets-gitlab': '0.13.4',
    danger: '14.0.7',
    'gitlab-ci-local': '4.75.1',
    'release-it': '20.2.1',
    'semantic-release': '24.2.9',
  },
  renovate: { renovate: '44.121.2' },
  backstage: {
    '@backstage/plugin-catalog-backend-module-gitlab': '0.8.8',
    '@backstage/plugin-scaffolder-backend-module-gitlab': '0.12.0',
  },
  runtimes: {
    [`node-${process.platform}-${process.arch}`]: '20',
    [`@oven/bun-${process.platform}-${process.arch}`]: '1.4.5',
    [`@deno/${process.platform}-${process.arch}-glibc`]: '2.9.6',
  },
} as const

type ToolSet = keyof typeof toolSets

const folderOf = (set: ToolSet): string => {
  const hash = createHash('sha256').update(JSON.stringify(toolSets[set])).digest('hex').slice(0, 12)
  return join(import.meta.dirname, '..', '..', 'node_modules', '.cache', `forgelet-tools-${hash}`)
}

const install = async (target: string, set: ToolSet) => {
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, dependencies: toolSets[set] }))
  await installWithPnpm('hoisted', target)
}

const megabytes = (directory: string): number => {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return Math.round(bytes / 1024 ** 2)
}

const findOrInstall = async (set: ToolSet): Promise<string | undefined> => {
  const folder = folderOf(set)
  const names = Object.keys(toolSets[set]).join(', ')
  if (existsSync(folder)) return folder
  if (process.env.FORGELET_TOOLS === 'skip') {
    console.warn('FORGELET_TOOLS=skip: the tests of release and review tools are skipped')
    return undefined
  }
  mkdirSync(dirname(folder), { recursive: true })
  const target = mkdtempSync(`${folder}-`)
  const start = performance.now()
  try {
    await install(target, set)
    const seconds = Math.round((performance.now() - start) / 1_000)
    console.log(`Downloaded ${names}: ${megabytes(target)} MB in ${seconds} s`)
    // A concurrent run may have created the same folder.
    if (!existsSync(folder)) renameSync(target, folder)
    return folder
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error).slice(0, 500)
    console.warn(`\n!!! SKIPPED: ${names} could not be downloaded and are NOT tested.\n!!! ${reason}\n`)
    return undefined
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

const installed = new Map<ToolSet, Promise<string | undefined>>()

/** The folder with `node_modules` that contains the programs; undefined if they cannot be installed. */
export const installTools = (set: ToolSet = 'pipelines'): Promise<string | undefined> => {
  const cached = installed.get(set) ?? findOrInstall(set)
  installed.set(set, cached)
  return cached
}

/** The path of a file in an installed program: `renovate/dist/renovate.js`. */
export const toolPath = (file: string, set: ToolSet = 'pipelines'): string => join(folderOf(set), 'node_modules', file)

export interface ToolResult {
  /** Null if a signal ended the program. */
  readonly code: number | null
  /** Standard output and standard error. */
  readonly output: string
}

/** Runs a program of a tool set with this Node, asynchronously, because it sends requests to a forge in this process. */
export const runTool = (
  program: string,
  args: readonly string[],
  { cwd, env, set }: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly set?: ToolSet },
): Promise<ToolResult> =>
  new Promise((resolve) => {
    const path = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`
    const identity = { GIT_AUTHOR_NAME: 'Alice', GIT_AUTHOR_EMAIL: 'alice@example.com' }
    const committer = { GIT_COMMITTER_NAME: 'Alice', GIT_COMMITTER_EMAIL: 'alice@example.com' }
    const environment = {
      PATH: path,
      HOME: cwd,
      NO_COLOR: '1',
      GIT_TERMINAL_PROMPT: '0',
      ...identity,
      ...committer,
      ...env,
    }
    const child = execFile(
      process.execPath,
      [toolPath(program, set), ...args],
      { cwd, env: environment, timeout: 100_000, maxBuffer: 16 * 1024 ** 2 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: `${stdout}\n${stderr}` }),
    )
  })
