import { sqlite } from '@forgelet/core'
import { worldCopy } from './workplace.ts'

/** The measured world as the bytes of a database in memory. */
export async function worldImage(): Promise<Buffer> {
  const store = sqlite(await worldCopy('image.db'))
  const image = store.serialize()
  await store.close()
  return image
}
