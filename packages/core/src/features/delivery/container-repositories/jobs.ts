import { defineJob, type JobContext } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import type { ImageStore, TagRemoval } from '../../../ports/registry.ts'
import { mapConcurrently } from '../../../shared/map-concurrently.ts'
import { createTimeSlice } from '../../../shared/time-slice.ts'
import { type BulkDeleteRules, createTagSelector, type DatedTag, needsAge, selectExpiredTags } from './bulk-delete.ts'
import { type ContainerRepositoryRow, repositoryPath } from './container-repository.ts'
import { findUndiscoveredRepositories, insertRepositories } from './discovery.ts'
import { findRepositoryById, setRepositoryStatus } from './queries.ts'
import { selectStoredTags } from './stored-tags.ts'
import type { ContainerRepositoryStatus } from './tables.ts'

/** Rows per transaction. */
const batchSize = 500

/** Concurrent requests to the external registry. */
const concurrency = 8

type TagSelector = (name: string) => boolean

/** Filters tags without blocking the event loop for longer than one time slice. */
const filterInSlices = async <T>(tags: readonly T[], selects: (tag: T) => boolean): Promise<T[]> => {
  const selected: T[] = []
  const endOfSlice = createTimeSlice()
  for (const tag of tags) {
    if (selects(tag)) selected.push(tag)
    const pause = endOfSlice()
    if (pause) await pause
  }
  return selected
}

/** Matching tags that were set no later than the request. */
const readSelectedTags = async (
  { read }: JobContext,
  id: number,
  selects: TagSelector,
  requestedAt: string,
): Promise<DatedTag[]> => {
  const selected: DatedTag[] = []
  for (let after = ''; ; ) {
    const rows = await read((handle) =>
      selectStoredTags(handle, id)
        .where('name', '>', after)
        .where('putAt', '<=', requestedAt)
        .orderBy('name')
        .limit(batchSize)
        .select(['name', 'createdAt'])
        .execute(),
    )
    selected.push(...(await filterInSlices(rows, ({ name }) => selects(name))))
    if (rows.length < batchSize) return selected
    after = rows.at(-1)?.name ?? ''
  }
}

/**
 * Listing names takes one request, reading an image two, so images are read only for rules that depend on age. A tag
 * without an image is left over from an interrupted removal; it is removed and does not count towards `keepN`.
 */
const selectImages = async (
  images: ImageStore,
  path: string,
  rules: BulkDeleteRules,
  { selects, requestedAt, signal }: { selects: TagSelector; requestedAt: string; signal: AbortSignal },
): Promise<readonly TagRemoval[]> => {
  const names = await filterInSlices(await images.tags(path, { signal }), selects)
  if (!needsAge(rules)) return names.map((name) => ({ name }))
  const tags = await mapConcurrently(names, concurrency, async (name) => {
    const image = await images.image(path, name, { signal })
    return { name, digest: image?.digest ?? null, createdAt: image?.createdAt ?? null }
  })
  const complete = tags.filter(({ digest }) => digest !== null)
  return [...tags.filter(({ digest }) => digest === null), ...selectExpiredTags(complete, rules, requestedAt)]
}

const deleteTags = async ({ write }: JobContext, id: number, tags: readonly DatedTag[], requestedAt: string) => {
  for (let from = 0; from < tags.length; from += batchSize) {
    const names = tags.slice(from, from + batchSize).map(({ name }) => name)
    await write(({ db }) =>
      db
        .deleteFrom('containerTag')
        .where('containerRepositoryId', '=', id)
        .where('name', 'in', names)
        .where('putAt', '<=', requestedAt)
        .execute(),
    )
  }
}

/**
 * Removes tags by rule. A retry after an interruption evaluates the remaining tags again and has the same final result,
 * because the newest tags are kept and ages are measured from the request.
 */
export const removeTags = defineJob('registry.removeTags', {
  async run(job, { repository, rules, requestedAt }) {
    const row = await job.read((handle) => findRepositoryById(handle, repository))
    const selects = createTagSelector(rules)
    if (!row || !selects) return
    const { images } = job.ports.registry
    if (!images) {
      const selected = await readSelectedTags(job, row.id, selects, requestedAt)
      return deleteTags(job, row.id, selectExpiredTags(selected, rules, requestedAt), requestedAt)
    }
    const path = repositoryPath(row)
    const { signal } = job
    await images.untag(path, await selectImages(images, path, rules, { selects, requestedAt, signal }), { signal })
  },
})

const deleteAllTags = (job: JobContext, { id }: ContainerRepositoryRow) =>
  repeatStep(job, async (ctx) => {
    const removed = await ctx.db
      .deleteFrom('containerTag')
      .where('id', 'in', selectStoredTags(ctx, id).orderBy('id').limit(batchSize).select('id'))
      .returning('id')
      .execute()
    return removed.length === batchSize
  })

const removeAllTags = async (job: JobContext, row: ContainerRepositoryRow) => {
  const { images } = job.ports.registry
  if (!images) return deleteAllTags(job, row)
  const { signal } = job
  const path = repositoryPath(row)
  const names = await images.tags(path, { signal })
  const removals = names.map((name) => ({ name }))
  return images.untag(path, removals, { signal })
}

/** Removes a repository. Its tags are removed first, so that an interrupted job can be retried. */
export const removeContainerRepository = defineJob('registry.removeRepository', {
  async run(job, { repository }) {
    const row = await job.read((handle) => findRepositoryById(handle, repository))
    if (!row) return
    const setStatus = (status: ContainerRepositoryStatus) =>
      job.write((ctx) => setRepositoryStatus(ctx, row.id, status))
    await setStatus('delete_ongoing')
    try {
      await removeAllTags(job, row)
    } catch (error) {
      await setStatus(job.isLastAttempt ? 'delete_failed' : 'delete_scheduled')
      throw error
    }
    await job.write(({ db }) => db.deleteFrom('containerRepository').where('id', '=', row.id).execute())
  },
})

/** Inserts repositories of the external registry that have tags and a project and are missing in the database. */
export const discoverRepositories = defineJob('registry.discover', {
  async run({ read, write, signal, ports: { registry } }) {
    const { images } = registry
    if (!images) return
    const paths = await images.repositories({ signal })
    for (let from = 0; from < paths.length; from += batchSize) {
      const missing = await read((handle) => findUndiscoveredRepositories(handle, paths.slice(from, from + batchSize)))
      // A registry also lists repositories without tags.
      const tagged = await mapConcurrently(
        missing,
        concurrency,
        async ({ path }) => (await images.tags(path, { signal })).length > 0,
      )
      const rows = missing.filter((_, index) => tagged[index]).map(({ projectId, name }) => ({ projectId, name }))
      if (rows.length) await write((ctx) => insertRepositories(ctx, rows))
    }
  },
})
