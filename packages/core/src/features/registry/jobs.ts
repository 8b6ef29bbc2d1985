import { setImmediate as letOthersRun } from 'node:timers/promises'
import { type JobTools, job } from '../../jobs.ts'
import { eachOf } from '../../kernel/each-of.ts'
import type { ImageStore, TagToRemove } from '../../ports/registry.ts'
import { asksForAge, type BulkDeleteRules, type DatedTag, tagSelector, tagsPastKeeping } from './bulk-delete.ts'
import { pathOf, type RepositoryRow } from './container-repository.ts'
import { addRepositories, unknownRepositories } from './discovery.ts'
import { ownTags } from './own-tags.ts'
import { repositoryById } from './queries.ts'

/** Rows a read or a transaction: others come in between. */
const slice = 500

/** Images that a registry outside is asked for at once. */
const atOnce = 8

/** Milliseconds of matching after which everybody else has a turn. */
const turn = 10

type Selects = (name: string) => boolean

/** Judges one after another, without holding everybody else up. */
const among = async <T>(tags: readonly T[], selects: (tag: T) => boolean): Promise<T[]> => {
  const chosen: T[] = []
  let since = performance.now()
  for (const tag of tags) {
    if (selects(tag)) chosen.push(tag)
    if (performance.now() - since < turn) continue
    await letOthersRun()
    since = performance.now()
  }
  return chosen
}

/** Those that were set before the call: what came later nobody asked to remove. */
const selectedRows = async ({ read }: JobTools, id: number, selects: Selects, askedAt: string): Promise<DatedTag[]> => {
  const selected: DatedTag[] = []
  for (let after = ''; ; ) {
    const rows = await read((handle) =>
      ownTags(handle, id)
        .where('name', '>', after)
        .where('putAt', '<=', askedAt)
        .orderBy('name')
        .limit(slice)
        .select(['name', 'createdAt'])
        .execute(),
    )
    selected.push(...(await among(rows, ({ name }) => selects(name))))
    if (rows.length < slice) return selected
    after = rows.at(-1)?.name ?? ''
  }
}

/**
 * Names cost one request together, images two each: those are asked for only where the rules want their age. A tag that
 * stands for nothing is left over from a removal that was interrupted: it goes, and counts for nothing.
 */
const chosenImages = async (
  images: ImageStore,
  path: string,
  rules: BulkDeleteRules,
  { selects, askedAt }: { selects: Selects; askedAt: string },
): Promise<readonly TagToRemove[]> => {
  const names = await among(await images.tags(path), selects)
  if (!asksForAge(rules)) return names.map((name) => ({ name }))
  const tags = await eachOf(names, atOnce, async (name) => {
    const image = await images.image(path, name)
    return { name, digest: image?.digest ?? null, createdAt: image?.createdAt ?? null }
  })
  const standing = tags.filter(({ digest }) => digest !== null)
  return [...tags.filter(({ digest }) => digest === null), ...tagsPastKeeping(standing, rules, askedAt)]
}

const removeRows = async ({ write }: JobTools, id: number, tags: readonly DatedTag[], askedAt: string) => {
  for (let from = 0; from < tags.length; from += slice) {
    const names = tags.slice(from, from + slice).map(({ name }) => name)
    await write(({ db }) =>
      db
        .deleteFrom('containerTag')
        .where('containerRepositoryId', '=', id)
        .where('name', 'in', names)
        .where('putAt', '<=', askedAt)
        .execute(),
    )
  }
}

/**
 * Removes tags by rule. Run again after it was interrupted, it chooses anew among what is left and comes to the same end:
 * the newest stay the newest, and ages count from the call.
 */
export const removeTags = job('registry.removeTags', {
  async run(tools, { repository, rules, askedAt }) {
    const row = await tools.read((handle) => repositoryById(handle, repository))
    const selects = tagSelector(rules)
    if (!row || !selects) return
    const { images } = tools.ports.registry
    if (!images) {
      const selected = await selectedRows(tools, row.id, selects, askedAt)
      return removeRows(tools, row.id, tagsPastKeeping(selected, rules, askedAt), askedAt)
    }
    const path = pathOf(row)
    await images.untag(path, await chosenImages(images, path, rules, { selects, askedAt }))
  },
})

const emptyRows = async ({ write }: JobTools, { id }: RepositoryRow) => {
  for (;;) {
    const removed = await write((ctx) =>
      ctx.db
        .deleteFrom('containerTag')
        .where('id', 'in', ownTags(ctx, id).orderBy('id').limit(slice).select('id'))
        .returning('id')
        .execute(),
    )
    if (removed.length < slice) return
  }
}

/** Removes a repository: its tags first, so that one that was interrupted is still there to go on with. */
export const removeContainerRepository = job('registry.removeRepository', {
  async run(tools, { repository }) {
    const row = await tools.read((handle) => repositoryById(handle, repository))
    if (!row) return
    const { images } = tools.ports.registry
    if (images) {
      const path = pathOf(row)
      const names = await images.tags(path)
      await images.untag(
        path,
        names.map((name) => ({ name })),
      )
    } else await emptyRows(tools, row)
    await tools.write(({ db }) => db.deleteFrom('containerRepository').where('id', '=', row.id).execute())
  },
})

/** Adds the repositories that a registry outside has and the platform has not, where they have tags and a project. */
export const discoverRepositories = job('registry.discover', {
  async run({ read, write, ports: { registry } }) {
    const { images } = registry
    if (!images) return
    const paths = await images.repositories()
    for (let from = 0; from < paths.length; from += slice) {
      const found = await read((handle) => unknownRepositories(handle, paths.slice(from, from + slice)))
      // A registry lists what was emptied long ago as well.
      const tagged = await eachOf(found, atOnce, async ({ path }) => (await images.tags(path)).length > 0)
      const rows = found.filter((_, at) => tagged[at]).map(({ projectId, name }) => ({ projectId, name }))
      if (rows.length) await write((ctx) => addRepositories(ctx, rows))
    }
  },
})
