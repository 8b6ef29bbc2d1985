import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'

/** Creating a folder fails if it exists, also if another process creates it at the same time. */
const takeLock = (lock: string) =>
  mkdir(lock).then(
    () => true,
    () => false,
  )

/** Creates a folder that the test processes of a run share: one creates it, the others wait. Returns its path. */
export const shareFolder = async (name: string, create: (folder: string) => Promise<void>): Promise<string> => {
  const folder = join(inject('temporaryFolder'), name)
  const lock = `${folder}.lock`
  const incomplete = `${folder}.incomplete`
  while (!existsSync(folder)) {
    if (await takeLock(lock)) {
      try {
        await rm(incomplete, { recursive: true, force: true })
        if (existsSync(folder)) break
        await create(incomplete)
        await rename(incomplete, folder)
      } finally {
        await rm(lock, { recursive: true })
      }
    } else await pause(100)
  }
  return folder
}
