import type { TagAnnotation } from '../git.ts'
import { parseSignature } from './commit-object.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import type { GitRuntime } from './runtime.ts'

/** Far above the size of real annotations, which are read into memory. */
const maximumTagBytes = 16 * 1024 ** 2

/** See `Repository.annotation`. */
export const readAnnotation = async ({ objects }: GitRuntime, id: string): Promise<TagAnnotation | undefined> => {
  if ((await objects.info(id))?.type !== 'tag') return undefined
  const object = await objects.contents(id, maximumTagBytes)
  if (object === undefined) return undefined
  const text = decodeUtf8OrLatin1(object.content)
  const end = text.indexOf('\n\n')
  const headers = end < 0 ? text : text.slice(0, end)
  const tagger = /^tagger (.*)$/m.exec(headers)?.[1]
  return {
    message: end < 0 ? '' : text.slice(end + 2).replace(/\n$/, ''),
    taggedAt: tagger === undefined ? undefined : parseSignature(tagger).date,
  }
}
