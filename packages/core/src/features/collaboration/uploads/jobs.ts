import { defineJob } from '../../../kernel/jobs/job.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import type { Handle } from '../../../kernel/store.ts'
import { mapConcurrently } from '../../../shared/map-concurrently.ts'

/** Concurrent removals from the file storage. */
const concurrentRemovals = 8
/** Writes end long before. */
const abandonedSeconds = 86_400

const isUsed = async ({ db }: Handle, storageKey: string): Promise<boolean> => {
  for (const table of [
    'upload',
    'jobArtifact',
    'packageFile',
    'pagesDeployment',
    'secureFile',
    'archiveExport',
    'archiveImport',
  ] as const) {
    const row = await db.selectFrom(table).where('storageKey', '=', storageKey).select('id').executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

/** Removes a file after its row was removed or not written. */
export const removeFile = defineJob('uploads.removeFile', {
  async run({ ports, read }, { storageKey }) {
    if (!(await read((handle) => isUsed(handle, storageKey)))) await ports.files.remove(storageKey)
  },
})

/** Removes the files of a removed project. */
export const removeFiles = defineJob('uploads.removeFiles', {
  async run({ ports: { files }, signal }, { prefix }) {
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page = await files.list(prefix, { after: next || undefined })
      await mapConcurrently(page.files, concurrentRemovals, ({ key }) => files.remove(key))
      signal.throwIfAborted()
      next = page.next
    }
  },
})

/** Removes what interrupted writes have left. */
export const cleanUpFiles = defineJob('uploads.cleanUp', {
  every: 'day',
  findNextEffect: async () => undefined,
  async run({ ports }) {
    await ports.files.removeAbandoned(addSeconds(new Date().toISOString(), -abandonedSeconds))
  },
})
