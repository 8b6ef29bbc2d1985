import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { notFound } from '../kernel/errors.ts'
import type { Git, Repository } from './git.ts'
import { byteCache } from './git-binary/byte-cache.ts'
import { searchFolders } from './git-binary/environment.ts'
import { defaultLimits, type GitLimits } from './git-binary/limits.ts'
import { readerPool } from './git-binary/reader-pool.ts'
import { hasOtherReferenceStorage } from './git-binary/reference-files.ts'
import { repositoryAt } from './git-binary/repository.ts'
import { gitRunner } from './git-binary/run.ts'
import { sharedWork } from './git-binary/shared-work.ts'
import { slots } from './git-binary/slots.ts'
import { directLauncher } from './git-binary/spawn-direct.ts'
import { helperLauncher } from './git-binary/spawn-helper.ts'
import { cloneRepository, createRepository, isRepository } from './git-binary/upkeep.ts'
import type { Caches, Workplace } from './git-binary/workplace.ts'

/** How the git program is started, and how much it may use. */
export interface GitBinaryOptions {
  /** Name or path of the git program, version 2.36 or newer. */
  readonly program?: string
  /**
   * Environment of git besides the fixed part, which wins. `PATH` says where git, bzip2 and ssh are when they are not in one
   * of the usual places; proxies and ssh settings for mirrors go here too. Nothing is taken from the host's own environment.
   */
  readonly environment?: Readonly<Record<string, string>>
  /** Sizes, times and counts beyond which git is stopped; those left out keep their defaults. */
  readonly limits?: Partial<GitLimits>
  /** What mirrors may be reached by; `https`, `http`, `ssh` and `git` when left out. */
  readonly pushProtocols?: readonly string[]
  /**
   * `helper`, the default, starts processes through a small process of our own; `direct` starts them from the host process,
   * which stands still meanwhile. On Windows, in single-file programs and outside Node they always start directly.
   */
  readonly start?: 'helper' | 'direct'
}

/** There is no forking on Windows; a single-file program would start itself instead of Node; other runtimes are not Node. */
const needsDirectStart = (): boolean =>
  process.platform === 'win32' ||
  'bun' in process.versions ||
  'deno' in process.versions ||
  (process.getBuiltinModule('node:sea')?.isSea() ?? false)

/** Handles are small; this only bounds what a host with very many repositories gathers. */
const maximumHandles = 10_000

/**
 * The git port over the installed `git` program.
 *
 * Objects are looked up through one long-lived `git cat-file` for each repository in use; everything else is a process of its
 * own, started by a helper, with a fixed environment, fixed options, object ids instead of names, a time limit and an output
 * limit, at most four at once. Answers that cannot change are cached by repository and object id.
 *
 * Neither the helper nor an idle lookup process keeps the host process alive.
 */
export const gitBinary = (options: GitBinaryOptions = {}): Git => {
  const { program = 'git', environment = {}, pushProtocols = ['https', 'http', 'ssh', 'git'] } = options
  const limits: GitLimits = { ...defaultLimits, ...options.limits }
  const launcher = options.start === 'direct' || needsDirectStart() ? directLauncher() : helperLauncher()
  const runner = gitRunner(launcher, slots(limits.children, limits.waiting), limits, program, environment)
  const readers = readerPool(launcher, limits, program, environment)
  const shared = sharedWork()
  const caches: Caches = {
    packedReferences: byteCache(limits.cacheBytes),
    marked: byteCache(limits.cacheBytes),
    largerThan: byteCache(limits.cacheBytes),
    trees: byteCache(limits.cacheBytes),
    totals: byteCache(limits.cacheBytes),
    comparisons: byteCache(limits.cacheBytes),
    mergeBases: byteCache(limits.cacheBytes),
    accounts: byteCache(limits.cacheBytes),
    contributors: byteCache(limits.cacheBytes),
  }
  const handles = new Map<string, Repository>()
  const programFolders = searchFolders(environment)

  const open = (given: string): Repository => {
    if (given.includes('\0')) throw notFound('Repository')
    const directory = resolve(given)
    const known = handles.get(directory)
    if (known !== undefined) return known
    let otherStorage: Promise<boolean> | undefined
    const place: Workplace = {
      ...caches,
      directory,
      runner,
      limits,
      shared,
      objects: readers.of(directory),
      hasOtherReferenceStorage: () => (otherStorage ??= hasOtherReferenceStorage(directory)),
    }
    const repository = repositoryAt(place, { programFolders, pushProtocols })
    handles.set(directory, repository)
    for (const oldest of handles.keys()) {
      if (handles.size <= maximumHandles) break
      handles.delete(oldest)
    }
    return repository
  }

  const forget = (directory: string) => {
    readers.release(directory)
    handles.delete(directory)
    for (const cache of Object.values(caches)) cache.drop(`${directory}\0`)
  }

  return {
    start: () => launcher.start(),
    open,
    create: async (directory, { defaultBranch = 'main' } = {}) => {
      const repository = open(directory)
      await createRepository(runner, limits, repository.directory, defaultBranch)
      return repository
    },
    clone: async (source, directory) => {
      const repository = open(directory)
      await cloneRepository(runner, limits, open(source).directory, repository.directory)
      return repository
    },
    remove: async (given) => {
      const { directory } = open(given)
      if (!(await isRepository(directory))) throw notFound('Repository')
      forget(directory)
      await rm(directory, { recursive: true, force: true })
    },
    close: async () => {
      readers.close()
      handles.clear()
      await launcher.close()
    },
  }
}
