import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { invalidInput, notFound, PlatformError } from '../../kernel/errors.ts'
import type { ArchiveFormat, ArchiveRequest } from '../git.ts'
import { tooLarge } from './failures.ts'
import { isObjectId } from './object-id.ts'
import { outputStream } from './stream.ts'
import { readTree } from './tree-object.ts'
import { treeTotals } from './tree-totals.ts'
import type { Workplace } from './workplace.ts'

const formats: readonly ArchiveFormat[] = ['tar', 'tar.gz', 'tar.bz2', 'zip']

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unfitForPath = /[\u0000-\u001f\u007f\\]/g

/** A relative directory that stays where it is put: `a/../b//c` is `a/b/c`, what no path should hold becomes a hyphen. */
export const archivePrefix = (wanted: string): string => {
  const parts = wanted
    .toWellFormed()
    .split('/')
    .map((part) => part.replace(unfitForPath, '-').slice(0, 255))
    .filter((part) => part !== '' && part !== '.' && part !== '..')
  return parts.length === 0 ? '' : `${parts.join('/')}/`
}

const isProgram = async (folders: readonly string[], name: string): Promise<boolean> => {
  for (const folder of folders) {
    const found = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return true
  }
  return false
}

/**
 * git packs the archive; the `bzip2` program, if there is one, compresses that form. Commits with names that would lead out
 * of the directory an archive is unpacked into are refused: no tool writes them, so somebody meant harm.
 */
export const archiveStream = async (
  place: Workplace,
  request: ArchiveRequest,
  programFolders: readonly string[],
): Promise<Readable> => {
  const { commit, format, prefix = '', signal } = request
  if (!formats.includes(format)) throw invalidInput([{ fields: ['format'], message: 'does not have a valid value' }])
  const root = isObjectId(commit) ? await readTree(place, `${commit}^{tree}`) : undefined
  if (root === undefined) throw notFound('Commit')
  if (format === 'tar.bz2' && !(await isProgram(programFolders, 'bzip2'))) {
    throw new PlatformError('unprocessable', 'This server has no bzip2 program, so it cannot make tar.bz2 archives', {
      reason: 'bzip2_missing',
    })
  }
  const { totals } = await treeTotals(place, root, signal)
  if (totals.unsafe) {
    throw new PlatformError('unprocessable', 'The commit holds file names that are not safe to unpack', {
      reason: 'unsafe_names',
    })
  }
  if (totals.tree + totals.blob + totals.commit > place.limits.archiveEntries) throw tooLarge('The archive')
  return outputStream(
    place.runner,
    {
      directory: place.directory,
      arguments: [
        'archive',
        `--format=${format === 'tar.bz2' ? 'tar' : format}`,
        `--prefix=${archivePrefix(prefix)}`,
        commit,
      ],
      timeLimit: place.limits.streamTime,
      signal,
    },
    place.limits,
    format === 'tar.bz2' ? 'bzip2' : undefined,
  )
}
