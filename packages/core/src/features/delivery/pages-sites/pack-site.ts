import { createHash } from 'node:crypto'
import { PlatformError } from '../../../kernel/errors.ts'
import type { ZipEntry } from '../pipeline-jobs/zip-archive.ts'
import { maxRedirectsSize } from './redirects.ts'

/** The most files of a site, and the bytes of all together. */
const maxFiles = 20_000
export const maxSiteSize = 1024 ** 3

/** A file of a site in the file of its deployment. */
export interface PackedFile {
  readonly path: string
  readonly position: number
  readonly size: number
  readonly sha256: string
}

const kindMask = 0o170000
const regularFile = 0o100000

/** The path of an entry below the root of the site; undefined for directories, links, and what is outside of the root. */
const toSitePath = ({ path, unixMode }: ZipEntry, root: string): string | undefined => {
  const kind = unixMode & kindMask
  if (kind !== 0 && kind !== regularFile) return undefined
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : ''
  return below === '' || below.endsWith('/') ? undefined : below
}

/** Turns the archive of a job into the content of one file, and lists where the files of the site are in it. */
export const packSite = (entries: AsyncIterable<ZipEntry>, root: string) => {
  const files = new Map<string, PackedFile>()
  const redirects: Buffer[] = []
  async function* read(): AsyncGenerator<Uint8Array> {
    let position = 0
    for await (const entry of entries) {
      const path = toSitePath(entry, root)
      // The first of several entries with the same path counts.
      if (path === undefined || files.has(path)) continue
      if (files.size >= maxFiles) throw new PlatformError('unprocessable', `The site has more than ${maxFiles} files`)
      const hash = createHash('sha256')
      let size = 0
      for await (const data of await entry.open()) {
        const chunk: Uint8Array = data
        hash.update(chunk)
        size += chunk.length
        if (path === '_redirects' && size <= maxRedirectsSize) redirects.push(Buffer.from(chunk))
        yield chunk
      }
      if (path === '_redirects' && size > maxRedirectsSize) redirects.length = 0
      files.set(path, { path, position, size, sha256: hash.digest('hex') })
      position += size
    }
  }
  return {
    content: read(),
    files,
    readRedirects: () => (redirects.length ? Buffer.concat(redirects).toString('utf8').replaceAll('\0', '') : null),
  }
}
