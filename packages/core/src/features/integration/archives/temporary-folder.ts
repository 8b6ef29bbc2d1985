import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getProcessIdentity, isProcessGone } from '../../../kernel/process-identity.ts'

const prefix = 'forgelet-archive-'
/** Characters that `mkdtemp` appends. */
const suffixLength = 6

// Files of a rejected archive can still be written.
const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/** The process of a folder; the name of a folder that is not one of ours is no identity. */
const readOwner = (name: string): string => {
  try {
    return decodeURIComponent(name.slice(prefix.length, -suffixLength))
  } catch {
    return ''
  }
}

/** Removes the folders of processes that were killed. Others can remove them at the same time. */
const removeAbandoned = async () => {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  for (const name of names) if (isProcessGone(readOwner(name))) await remove(join(tmpdir(), name))
}

/** Runs work with a new folder, which is removed afterwards, or by the next work when the process is killed. */
export const withTemporaryFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  await removeAbandoned()
  const folder = await mkdtemp(join(tmpdir(), prefix + encodeURIComponent(getProcessIdentity())))
  try {
    return await work(folder)
  } finally {
    await remove(folder)
  }
}
