import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Ask } from '../app.ts'
import type { Reply } from '../reply.ts'
import { mediaTypeOf, unlessKnown } from './asset.ts'

/** The browser code that draws a description of an API: the package @scalar/api-reference, where it is installed. */
export interface ReferenceBundle {
  readonly version: string
  /** One of its files; undefined when there is no such one. */
  reply(ask: Ask, name: string): Promise<Reply | undefined>
}

/** The file that a page imports; the others are parts which that one asks for. */
export const bundleEntry = 'standalone.esm.js'

const fileName = /^(?:chunks\/)?[\w.-]+\.js$/

const isAbsent = (error: unknown) =>
  ['MODULE_NOT_FOUND', 'ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code))

const unlessAbsent = (error: unknown): undefined => {
  if (!isAbsent(error)) throw error
  return undefined
}

const bundleIn = (folder: string, version: string): ReferenceBundle => ({
  version,
  async reply(ask, name) {
    if (!fileName.test(name)) return undefined
    const file = join(folder, name)
    const found = await stat(file).catch(unlessAbsent)
    if (!found?.isFile()) return undefined
    const headers = {
      'Content-Type': mediaTypeOf(name),
      // The version is a part of the address: what lies there never changes.
      'Cache-Control': 'public, max-age=31536000, immutable',
      ETag: `"${version}-${found.size}"`,
    }
    return unlessKnown(ask, headers, () => ({
      status: 200,
      headers: { ...headers, 'Content-Length': String(found.size) },
      ...(ask.method === 'GET' && { bytes: createReadStream(file) }),
    }))
  },
})

/** Undefined where the package is not installed, or is one without the file that a page needs. */
export async function findReferenceBundle(): Promise<ReferenceBundle | undefined> {
  try {
    // Its package.json and its browser files are not among its exports: they are found beside its main file.
    const main = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'))
    const { version } = JSON.parse(await readFile(join(main, '..', 'package.json'), 'utf8')) as { version: string }
    await stat(join(main, 'browser', bundleEntry))
    return bundleIn(join(main, 'browser'), version)
  } catch (error) {
    return unlessAbsent(error)
  }
}
