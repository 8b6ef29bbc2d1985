import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { defined } from '../../shared/defined.ts'
import type { FileStorage, StoredFile } from '../file-storage.ts'
import { toFolderError, undefinedIfMissing } from './errors.ts'
import { assertFileKey, assertFilePrefix } from './file-key.ts'
import { measureContent } from './measured-content.ts'

/** Whether a folder can contain a key that starts with `prefix` and comes after `after`. `path` ends with a slash. */
const isRelevant = (path: string, prefix: string, after: string) =>
  (path.startsWith(prefix) || prefix.startsWith(path)) && (path > after || after.startsWith(path))

/**
 * The keys of the files below a folder, in byte order, one folder at a time. Names with a leading dot are temporary files. Skips
 * folders that another process removes meanwhile.
 */
async function* listFolder(root: string, prefix: string, after = '', path = ''): AsyncGenerator<string> {
  const found = (await readdir(join(root, path), { withFileTypes: true }).catch(undefinedIfMissing)) ?? []
  // With the slash, because `a-b` comes before `a/b`.
  const entries = found
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => `${path}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  for (const entry of entries.filter((name) => !name.slice(path.length).startsWith('.')).sort()) {
    if (entry.endsWith('/')) {
      if (isRelevant(entry, prefix, after)) yield* listFolder(root, prefix, after, entry)
    } else if (entry.startsWith(prefix) && entry > after) yield entry
  }
}

/** No key starts with a dot. In the same folder, because a rename is atomic within one file system only. */
const temporaryFolder = '.incoming'

const syncFolder = async (path: string) => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates missing folders and syncs the parent of the topmost one, so that a power failure loses none. */
const createFolder = async (path: string) => {
  // Uploads of private projects must not be readable by other users of the machine.
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first !== undefined) await syncFolder(dirname(first))
}

/**
 * Stores files in a folder, which is created with the first file. Several servers can share it over a network file system with
 * an atomic rename and close-to-open consistency, such as NFS 4.
 */
export const folderFileStorage = (folder: string): FileStorage => {
  const root = resolve(folder)
  const incoming = join(root, temporaryFolder)
  const pathOf = (key: string) => join(root, ...assertFileKey(key).split('/'))

  const findFile = async (key: string): Promise<StoredFile | undefined> => {
    const stats = await lstat(pathOf(key)).catch(undefinedIfMissing)
    return stats?.isFile() ? { key, size: stats.size, modifiedAt: stats.mtime.toISOString() } : undefined
  }

  return {
    async write(key, content, options) {
      const path = pathOf(key)
      const measured = measureContent(content, options)
      const draft = join(incoming, randomBytes(16).toString('hex'))
      try {
        await createFolder(incoming)
        const file = await open(draft, 'wx', 0o600)
        try {
          for await (const chunk of measured) await file.writeFile(chunk)
          // Before the rename: a published file is complete, also after a power failure.
          await file.sync()
        } finally {
          await file.close()
        }
        await createFolder(dirname(path))
        await rename(draft, path)
        await syncFolder(dirname(path))
        return measured.result()
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined)
        throw toFolderError(error)
      }
    },

    async read(key, { offset = 0, length, signal } = {}) {
      const file = await open(pathOf(key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(undefinedIfMissing)
      if (file === undefined) return undefined
      const stats = await file.stat()
      const end = Math.min(stats.size, offset + (length ?? stats.size))
      if (!stats.isFile() || end <= offset) {
        await file.close()
        return stats.isFile() ? Readable.from([]) : undefined
      }
      return file.createReadStream({ start: offset, end: end - 1, ...(signal && { signal }) })
    },

    stat: findFile,

    async remove(key) {
      await rm(pathOf(key), { force: true }).catch(undefinedIfMissing)
    },

    async list(prefix, { after, limit = 1_000 } = {}) {
      const keys: string[] = []
      for await (const key of listFolder(root, assertFilePrefix(prefix), after)) {
        keys.push(key)
        if (keys.length > limit) break
      }
      const page = keys.slice(0, limit)
      const files = (await Promise.all(page.map(findFile))).filter((file) => file !== undefined)
      return { files, ...(keys.length > limit && { next: defined(page.at(-1)) }) }
    },

    async removeAbandoned(before) {
      let removed = 0
      const names = await readdir(incoming).catch(() => [])
      for (const name of names) {
        const path = join(incoming, name)
        const stats = await lstat(path).catch(() => undefined)
        if (stats === undefined || stats.mtime.toISOString() >= before) continue
        await rm(path, { force: true })
        removed += 1
      }
      return removed
    },

    markShared: () => undefined,
    close: () => undefined,
  }
}
