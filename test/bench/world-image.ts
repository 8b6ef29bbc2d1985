import { sqlite } from '@forgelet/core'
import { copyWorld } from './temporary-files.ts'

/** The benchmark data as the bytes of an in-memory database. */
export async function readWorldImage(): Promise<Buffer> {
  const store = sqlite(await copyWorld('image.db'))
  const image = store.serialize()
  await store.close()
  return image
}
