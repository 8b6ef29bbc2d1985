import { defined } from '../../../shared/defined.ts'
import { maxEntries, type ZipEntry } from './zip-archive.ts'
import { unreadable } from './zip-source.ts'

/** A file or directory in the artifacts of a job. */
export interface ArtifactTreeEntry {
  /** Last part of the path. */
  name: string
  /** Path in the archive; ends with `/` for a directory. */
  path: string
  /** Whether it is a file or a directory. */
  type: 'file' | 'directory'
  /** Bytes; null for a directory. */
  size: number | null
  /** Kind and permissions, six octal digits. */
  mode: string
}

const defaultModes = { file: 0o100644, directory: 0o040755 } as const

const toTreeEntry = (path: string, entry: Pick<ZipEntry, 'size' | 'unixMode'> | undefined): ArtifactTreeEntry => {
  const type = path.endsWith('/') ? 'directory' : 'file'
  return {
    name: defined(path.replace(/\/$/, '').split('/').at(-1)),
    path,
    type,
    size: type === 'file' ? (entry?.size ?? 0) : null,
    mode: (entry?.unixMode || defaultModes[type]).toString(8).padStart(6, '0'),
  }
}

/** The paths of an entry and of the directories above it, below a prefix; without `recursive` only the first part. */
const listPaths = (path: string, prefix: string, recursive: boolean): readonly string[] => {
  const parts = path.slice(prefix.length).split(/(?<=\/)/)
  const lengths = recursive ? parts.map((_, at) => at + 1) : [1]
  return lengths.map((length) => prefix + parts.slice(0, length).join(''))
}

interface TreeOptions {
  /** Path of a directory; empty for the root. */
  readonly path: string
  readonly recursive: boolean
}

/** The content of a directory of an archive, by path; undefined for a missing directory. Archives need not have entries for directories. */
export const buildArtifactTree = async (
  entries: AsyncIterable<ZipEntry>,
  { path: directory, recursive }: TreeOptions,
): Promise<readonly ArtifactTreeEntry[] | undefined> => {
  const prefix = directory === '' ? '' : `${directory}/`
  const found = new Map<string, ArtifactTreeEntry>()
  let exists = prefix === ''
  for await (const entry of entries) {
    if (!entry.path.startsWith(prefix)) continue
    exists = true
    if (entry.path === prefix) continue
    for (const path of listPaths(entry.path, prefix, recursive))
      if (path === entry.path || !found.has(path))
        found.set(path, toTreeEntry(path, path === entry.path ? entry : undefined))
    if (found.size > maxEntries) throw unreadable('The archive has too many files')
  }
  return exists ? [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)) : undefined
}
