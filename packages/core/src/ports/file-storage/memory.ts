import { Readable } from 'node:stream'
import { defined } from '../../shared/defined.ts'
import type { FileStorage } from '../file-storage.ts'
import { assertFileKey, assertFilePrefix } from './file-key.ts'
import { measureContent } from './measured-content.ts'

interface MemoryFile {
  readonly content: Buffer
  readonly modifiedAt: string
}

/** The files of all platforms of this process with a database in memory, so that copies of a database share its files. */
const files = new Map<string, MemoryFile>()

/** Keeps files in memory until the platform closes or, when they are shared, until the process exits. */
export const memoryFileStorage = (): FileStorage => {
  const unshared = new Set<string>()
  const find = (key: string) => files.get(assertFileKey(key))
  const describe = (key: string, { content, modifiedAt }: MemoryFile) => ({ key, size: content.length, modifiedAt })
  return {
    async write(key, content, options) {
      assertFileKey(key)
      const measured = measureContent(content, options)
      const chunks: Uint8Array[] = []
      for await (const chunk of measured) chunks.push(chunk)
      files.set(key, { content: Buffer.concat(chunks), modifiedAt: new Date().toISOString() })
      unshared.add(key)
      return measured.result()
    },
    async read(key, { offset = 0, length } = {}) {
      const content = find(key)?.content
      const part = content?.subarray(offset, length === undefined ? undefined : offset + length)
      return part && Readable.from(part.length > 0 ? [part] : [])
    },
    async stat(key) {
      const file = find(key)
      return file && describe(key, file)
    },
    async remove(key) {
      assertFileKey(key)
      if (unshared.delete(key)) files.delete(key)
    },
    async list(prefix, { after = '', limit = 1_000 } = {}) {
      assertFilePrefix(prefix)
      const keys = [...unshared].filter((key) => key.startsWith(prefix) && key > after).sort()
      const page = keys.slice(0, limit)
      const listed = page.map((key) => describe(key, defined(files.get(key))))
      return { files: listed, ...(keys.length > limit && { next: defined(page.at(-1)) }) }
    },
    removeAbandoned: async () => 0,
    markShared: () => unshared.clear(),
    close() {
      for (const key of unshared) files.delete(key)
      unshared.clear()
    },
  }
}
