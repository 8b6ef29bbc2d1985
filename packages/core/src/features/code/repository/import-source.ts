import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { invalid, notFound, PlatformError } from '../../../kernel/errors.ts'
import type { Git, Repository } from '../../../ports/git.ts'
import { isReservedName } from '../../../ports/git-binary/reference-name.ts'

/** Progress of an import. */
export interface ImportProgress {
  readonly step: 'copying' | 'reading' | 'done'
  /** Size of the source repository in bytes. */
  readonly bytes: number
  /** Bytes written so far. The final size differs slightly from `bytes`, because the copy is repacked. */
  readonly copied: number
}

const progressIntervalMs = 250

/** Size in bytes of a directory that another process may be writing to. */
const measureDirectory = async (directory: string): Promise<number> => {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size),
  )
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

/** Reports the size of a directory every 250 ms while `work` runs. */
export async function reportProgress<T>(
  directory: string,
  report: (bytes: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  let isMeasuring = false
  const measure = async () => {
    if (isMeasuring) return
    isMeasuring = true
    report(await measureDirectory(directory))
    isMeasuring = false
  }
  const timer = setInterval(() => void measure(), progressIntervalMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Bytes of the files of a repository that is fetched. */
const maximumBytes = 4 * 1024 ** 3

/**
 * Fetches to the directory of a repository.
 *
 * @throws PlatformError `unprocessable` as soon as its files exceed 4 GB
 */
export async function limitSize<T>(
  directory: string,
  signal: AbortSignal,
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const check = (bytes: number) => {
    if (bytes > maximumBytes) limit.abort(new PlatformError('unprocessable', 'The repository exceeds 4 GB'))
  }
  try {
    return await reportProgress(directory, check, () => fetch(AbortSignal.any([signal, limit.signal])))
  } catch (error) {
    limit.signal.throwIfAborted()
    throw error
  }
}

/**
 * Opens the repository at a path: a bare repository or a working directory.
 *
 * @throws PlatformError `not_found` without a repository; `invalid` when its object ids are not SHA-1
 */
export async function openRepositoryAtPath(git: Git, path: string): Promise<Repository> {
  if (path.trim() === '') throw invalid({ path: ['is empty'] })
  const absolute = resolve(path)
  for (const directory of [absolute, join(absolute, '.git')]) {
    const repository = git.open(directory)
    if (!(await repository.exists())) continue
    const format = await repository.objectFormat()
    if (format === 'sha1') return repository
    throw invalid({ path: [`is a repository with ${format} object ids; only sha1 is supported`] })
  }
  throw notFound('Repository')
}

/** @throws PlatformError `invalid` for a repository with branches or tags whose names the platform refuses */
export async function assertImportableNames(repository: Repository): Promise<void> {
  const references = [...(await repository.branches()), ...(await repository.tags())]
  const reserved = references.map(({ name }) => name).filter(isReservedName)
  if (reserved.length === 0) return
  const names = reserved.slice(0, 5).join(', ')
  throw invalid({ path: [`has branches or tags with reserved names, which must be renamed first: ${names}`] })
}
