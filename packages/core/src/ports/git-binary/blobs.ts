import { Readable } from 'node:stream'
import type { Blob, BlobOptions, BlobStream } from '../git.ts'
import { isTooLarge, tooLarge } from './failures.ts'
import { isObjectId } from './object-id.ts'
import { outputStream } from './stream.ts'
import type { Workplace } from './workplace.ts'

/** Up to here a file is read whole even where it is asked for as a stream: that is quicker than a process of its own. */
const smallBytes = 1024 ** 2

export const readBlob = async (place: Workplace, id: string, options: BlobOptions = {}): Promise<Blob | undefined> => {
  const maximum = options.maximumBytes ?? place.limits.blobBytes
  if (!isObjectId(id)) return undefined
  const key = `${place.directory}\0${id}`
  // Refusing a file costs the lookup process, so each is only tried once.
  if ((place.largerThan.get(key) ?? -1) >= maximum) throw tooLarge('The file')
  try {
    const found = await place.objects.contents(id, maximum)
    return found?.type === 'blob' ? { id, size: found.size, content: found.content } : undefined
  } catch (error) {
    if (!isTooLarge(error)) throw error
    place.largerThan.set(key, maximum, 8)
    throw tooLarge('The file')
  }
}

export const streamBlob = async (
  place: Workplace,
  id: string,
  signal: AbortSignal | undefined,
): Promise<BlobStream | undefined> => {
  const known = isObjectId(id) ? await place.objects.info(id) : undefined
  if (known?.type !== 'blob') return undefined
  const { size } = known
  if (size <= smallBytes) {
    const found = await place.objects.contents(id, smallBytes)
    return found && { id, size, content: Readable.from([found.content], { objectMode: false }) }
  }
  const content = await outputStream(
    place.runner,
    {
      directory: place.directory,
      arguments: ['cat-file', 'blob', id],
      timeLimit: place.limits.streamTime,
      signal,
    },
    place.limits,
  )
  return { id, size, content }
}
