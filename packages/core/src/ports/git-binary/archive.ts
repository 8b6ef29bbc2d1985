import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { invalidInput, notFound, PlatformError } from '../../kernel/errors.ts'
import type { Abortable, ArchiveFormat, ArchiveRequest } from '../git.ts'
import { tooLargeError } from './errors.ts'
import { isObjectId } from './object-id.ts'
import { createOutputStream } from './output-stream.ts'
import type { GitRuntime } from './runtime.ts'
import { readRoot } from './tree-reader.ts'
import { countTreeEntries } from './tree-totals.ts'

/** See `Repository.bundle`. */
export const createBundle = (
  { directory, runner, limits }: GitRuntime,
  { signal }: Abortable = {},
): Promise<Readable> =>
  createOutputStream(
    runner,
    {
      directory,
      arguments: ['bundle', 'create', '--quiet', '--version=2', '-', '--branches', '--tags'],
      timeout: limits.streamTimeout,
      signal,
    },
    limits,
    { startBytes: 1, maximumBytes: Number.POSITIVE_INFINITY },
  )

const formats: readonly ArchiveFormat[] = ['tar', 'tar.gz', 'tar.bz2', 'zip']

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const invalidPathCharacters = /[\u0000-\u001f\u007f\\]/g

/** Returns a relative directory without `.` and `..`: `a/../b//c` becomes `a/b/c`, invalid characters become hyphens. */
export const sanitizeArchivePrefix = (prefix: string): string => {
  const parts = prefix
    .toWellFormed()
    .split('/')
    .map((part) => part.replace(invalidPathCharacters, '-').slice(0, 255))
    .filter((part) => part !== '' && part !== '.' && part !== '..')
  return parts.length === 0 ? '' : `${parts.join('/')}/`
}

const isProgramInstalled = async (folders: readonly string[], name: string): Promise<boolean> => {
  for (const folder of folders) {
    const isExecutable = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return true
  }
  return false
}

/**
 * Runs `git archive`, and the `bzip2` program for `tar.bz2`. Rejects commits with names such as `..`, which could write files
 * outside the directory into which the archive is unpacked.
 */
export const createArchiveStream = async (
  runtime: GitRuntime,
  request: ArchiveRequest,
  programFolders: readonly string[],
): Promise<Readable> => {
  const { commit, format, path, prefix = '', signal } = request
  if (!formats.includes(format)) throw invalidInput([{ fields: ['format'], message: 'does not have a valid value' }])
  const root = isObjectId(commit) ? await readRoot(runtime, commit) : undefined
  if (root === undefined) throw notFound('Commit')
  if (format === 'tar.bz2' && !(await isProgramInstalled(programFolders, 'bzip2'))) {
    throw new PlatformError('unprocessable', 'tar.bz2 archives require the bzip2 program, which is not installed', {
      reason: 'bzip2_missing',
    })
  }
  const { totals } = await countTreeEntries(runtime, root, signal)
  if (totals.hasUnsafeNames) {
    throw new PlatformError('unprocessable', 'The commit contains file names that are unsafe to unpack', {
      reason: 'unsafe_names',
    })
  }
  if (totals.tree + totals.blob + totals.commit > runtime.limits.archiveEntries) throw tooLargeError('The archive')
  return createOutputStream(
    runtime.runner,
    {
      directory: runtime.directory,
      arguments: [
        'archive',
        `--format=${format === 'tar.bz2' ? 'tar' : format}`,
        `--prefix=${sanitizeArchivePrefix(prefix)}`,
        commit,
        ...(path === undefined ? [] : ['--', path]),
      ],
      timeout: runtime.limits.streamTimeout,
      signal,
    },
    runtime.limits,
    { compressor: format === 'tar.bz2' ? 'bzip2' : undefined },
  )
}
