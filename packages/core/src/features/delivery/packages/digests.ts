import { createHash } from 'node:crypto'

/** The digests that clients of package registries compare, in addition to the SHA-256 that the file storage returns. */
export interface Digests {
  /** 40 hexadecimal digits. */
  readonly sha1: string
  /** 32 hexadecimal digits. */
  readonly md5: string
}

/** Computes digests of chunks while they are consumed, so that the content is read once. */
export const digestWhileReading = (
  content: AsyncIterable<Uint8Array> | Uint8Array,
): { readonly chunks: AsyncIterable<Uint8Array>; readonly digests: () => Digests } => {
  const [sha1, md5] = [createHash('sha1'), createHash('md5')]
  const read = async function* () {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      sha1.update(chunk)
      md5.update(chunk)
      yield chunk
    }
  }
  return { chunks: read(), digests: () => ({ sha1: sha1.digest('hex'), md5: md5.digest('hex') }) }
}
