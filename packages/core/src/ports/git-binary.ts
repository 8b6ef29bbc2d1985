import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { assertOptions, optionNames } from '../kernel/assert-arguments.ts'
import { notFound } from '../kernel/errors.ts'
import type { Git, Repository } from './git.ts'
import { createGitCaches, invalidateRepository } from './git-binary/caches.ts'
import { createCoalescer } from './git-binary/coalescer.ts'
import { createDirectLauncher } from './git-binary/direct-launcher.ts'
import { parseSearchPath } from './git-binary/environment.ts'
import { createHelperLauncher } from './git-binary/helper-launcher.ts'
import { defaultGitLimits, type GitLimits } from './git-binary/limits.ts'
import { createReaderPool } from './git-binary/reader-pool.ts'
import { usesReftable } from './git-binary/reference-files.ts'
import { createRepositoryHandle } from './git-binary/repository.ts'
import { cloneRepository, createRepository, isRepository } from './git-binary/repository-lifecycle.ts'
import { createGitRunner } from './git-binary/runner.ts'
import type { GitRuntime } from './git-binary/runtime.ts'
import { createSlotPool } from './slot-pool.ts'

/** Options of `gitBinary`. */
export interface GitBinaryOptions {
  /** Name or path of the git program, version 2.38 or newer. */
  readonly program?: string
  /**
   * Additional environment variables, such as proxies and ssh settings for mirrors, or `PATH` when git, bzip2 and ssh are not
   * in a usual folder. The fixed variables of the port take precedence. The environment of the host is not inherited.
   */
  readonly environment?: Readonly<Record<string, string>>
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<GitLimits>
  /** Protocols of mirrors. Default: `https`, `http`, `ssh` and `git`. */
  readonly pushProtocols?: readonly string[]
  /**
   * `helper` (default) starts processes from a small helper process; `direct` starts them from the host process, which blocks
   * during the fork. Windows, single-executable applications and other runtimes than Node.js always use `direct`.
   */
  readonly spawnMode?: 'helper' | 'direct'
}

const gitBinaryOptions = optionNames<GitBinaryOptions>({
  program: true,
  environment: true,
  limits: true,
  pushProtocols: true,
  spawnMode: true,
})

/** Windows does not fork; the executable of a single-executable application or another runtime is not Node.js. */
const requiresDirectSpawn = (): boolean =>
  process.platform === 'win32' ||
  'bun' in process.versions ||
  'deno' in process.versions ||
  (process.getBuiltinModule('node:sea')?.isSea() ?? false)

/** Limits the memory of hosts with very many repositories. */
const maximumHandles = 10_000

/**
 * Implements the git port with the installed `git` program.
 *
 * One long-lived `git cat-file` process for each repository in use reads objects. Every other command is a process started by
 * a helper, with a fixed environment, fixed options, object ids instead of names, a time limit and an output limit; by
 * default at most four run at once. Immutable results are cached by repository and object id.
 *
 * Neither the helper nor an idle `git cat-file` process keeps the host process alive.
 */
export const gitBinary = (options: GitBinaryOptions = {}): Git => {
  assertOptions('gitBinary', options, gitBinaryOptions)
  assertOptions('limits', options.limits ?? {}, Object.keys(defaultGitLimits))
  const { program = 'git', environment = {}, pushProtocols = ['https', 'http', 'ssh', 'git'] } = options
  const limits: GitLimits = { ...defaultGitLimits, ...options.limits }
  const launcher =
    options.spawnMode === 'direct' || requiresDirectSpawn() ? createDirectLauncher() : createHelperLauncher()
  const runner = createGitRunner(
    launcher,
    {
      local: createSlotPool(limits.processes, limits.queuedCalls, 'git operations'),
      remote: createSlotPool(limits.remoteProcesses, limits.queuedCalls, 'transfers to other hosts'),
    },
    limits,
    program,
    environment,
  )
  const readers = createReaderPool(launcher, limits, program, environment)
  const coalesce = createCoalescer()
  const caches = createGitCaches(limits.cacheBytes)
  const handles = new Map<string, Repository>()
  const programFolders = parseSearchPath(environment)

  const open = (path: string): Repository => {
    if (path.includes('\0')) throw notFound('Repository')
    const directory = resolve(path)
    const opened = handles.get(directory)
    if (opened !== undefined) return opened
    let isReftable: Promise<boolean> | undefined
    const runtime: GitRuntime = {
      ...caches,
      directory,
      runner,
      limits,
      coalesce,
      objects: readers.forRepository(directory),
      usesReftable: () => (isReftable ??= usesReftable(directory)),
    }
    const repository = createRepositoryHandle(runtime, { programFolders, pushProtocols })
    handles.set(directory, repository)
    for (const oldest of handles.keys()) {
      if (handles.size <= maximumHandles) break
      handles.delete(oldest)
    }
    return repository
  }

  const release = (directory: string) => {
    readers.release(directory)
    handles.delete(directory)
    invalidateRepository(caches, directory)
  }

  return {
    start: () => launcher.start(),
    open,
    create: async (directory, { defaultBranch = 'main' } = {}) => {
      const repository = open(directory)
      await createRepository(runner, limits, repository.directory, defaultBranch)
      return repository
    },
    clone: async (source, directory, { allReferences = false, signal } = {}) => {
      const repository = open(directory)
      await cloneRepository(runner, limits, {
        source: open(source).directory,
        directory: repository.directory,
        allReferences,
        signal,
      })
      return repository
    },
    remove: async (path) => {
      const { directory } = open(path)
      if (!(await isRepository(directory))) throw notFound('Repository')
      release(directory)
      await rm(directory, { recursive: true, force: true })
    },
    close: async () => {
      readers.close()
      handles.clear()
      await launcher.close()
    },
  }
}
