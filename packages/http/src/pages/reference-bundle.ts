import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getErrorCode } from '@forgelet/core/operations'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { getMediaType } from './asset.ts'
import { createStaticContent, replyWithContent, type StaticContent } from './content-encoding.ts'

/** The browser files of the package `@scalar/api-reference`, which renders OpenAPI documents. */
export interface ReferenceBundle {
  readonly version: string
  /** Replies with a file; undefined if it does not exist. */
  reply(request: IncomingRequest, name: string): Promise<Reply | undefined>
}

/** The file that a page imports; it loads the others. */
export const bundleEntry = 'standalone.esm.js'

const fileNamePattern = /^(?:chunks\/)?[\w.-]+\.js$/

const isMissingError = (error: unknown) =>
  ['MODULE_NOT_FOUND', 'ENOENT', 'ENOTDIR', 'EISDIR'].includes(getErrorCode(error))

const ignoreMissing = (error: unknown): undefined => {
  if (!isMissingError(error)) throw error
  return undefined
}

/** The files are read on their first request, and stay in memory: a page loads 3 MB of them. */
const createReferenceBundle = (folder: string, version: string): ReferenceBundle => {
  const contents = new Map<string, Promise<StaticContent | undefined>>()
  const read = (name: string) => readFile(join(folder, name)).then(createStaticContent, ignoreMissing)
  return {
    version,
    async reply(request, name) {
      if (!fileNamePattern.test(name)) return undefined
      const reading = contents.get(name) ?? read(name)
      contents.set(name, reading)
      const content = await reading.catch((error: unknown) => {
        contents.delete(name)
        throw error
      })
      if (content === undefined) {
        contents.delete(name)
        return undefined
      }
      return replyWithContent(request, content, {
        'Content-Type': getMediaType(name),
        // The URL contains the version, so its content never changes.
        'Cache-Control': 'public, max-age=31536000, immutable',
      })
    },
  }
}

/** Undefined if the package is not installed or has no browser bundle. */
export async function findReferenceBundle(): Promise<ReferenceBundle | undefined> {
  try {
    // The package exports neither its package.json nor its browser files; both are located relative to its main file.
    const main = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'))
    const { version } = JSON.parse(await readFile(join(main, '..', 'package.json'), 'utf8')) as { version: string }
    await stat(join(main, 'browser', bundleEntry))
    return createReferenceBundle(join(main, 'browser'), version)
  } catch (error) {
    return ignoreMissing(error)
  }
}
