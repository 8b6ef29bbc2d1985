import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne, Id, Instant, instant } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { mapped, type Outside, outside } from '../../kernel/outside.ts'
import { type Page, pageOf, paginate, paging } from '../../kernel/paging.ts'
import { type Image, isTagName } from '../../ports/registry.ts'
import {
  type ContainerRepository,
  type ContainerTag,
  type ContainerTagDetail,
  toRepository,
  toTag,
} from './container-repository.ts'
import { Digest, Pattern, Revision, TagName } from './inputs.ts'
import { ownImage, ownTags } from './own-tags.ts'
import { findRepository } from './queries.ts'
import { registry } from './subject.ts'

const shortRevisionLength = 9

/** Milliseconds between two bulk deletions of one repository: specification 1, "Limits". */
const cleanupInterval = 3_600_000

const askedAlready =
  'This request has already been made. You can run this at most once an hour for a given container repository'

const detailed = (repository: ContainerRepository, name: string, image: Image | undefined): ContainerTagDetail => {
  if (!image) throw notFound('Tag')
  const { revision, digest, createdAt, totalSize } = image
  const shortRevision = revision?.slice(0, shortRevisionLength) ?? null
  return { ...toTag(repository, name), revision, shortRevision, digest, createdAt, totalSize }
}

/** What a tag stands for, wherever it is kept. A text that is no tag's name reaches no registry. */
const imageOf = async (
  ctx: Context,
  { id, path }: ContainerRepository,
  tag: string,
): Promise<Image | undefined | Outside<Image | undefined>> => {
  const { images } = ctx.ports.registry
  if (!isTagName(tag)) return undefined
  return images ? outside(() => images.image(path, tag)) : ownImage(ctx, id, tag)
}

const repositoryOf = async (ctx: Context, projectId: number, id: number) =>
  toRepository(ctx, await findRepository(ctx, projectId, id))

/** Takes the hour of a repository: the first to ask has it, whichever process it asks. */
const claimHour = async (ctx: Context, id: number) => {
  const before = new Date(Date.parse(ctx.now) - cleanupInterval).toISOString()
  const claimed = await ctx.db
    .updateTable('containerRepository')
    .set({ cleanupAskedAt: ctx.now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('cleanupAskedAt', 'is', null), eb('cleanupAskedAt', '<=', before)]))
    .returning('id')
    .execute()
  if (!claimed.length) throw invalid(askedAlready)
}

export const containerTags = {
  /** Tags of a repository, by name. */
  list: query({
    on: registry,
    can: 'registry.read',
    input: { repository: Id, ...paging },
    async run(ctx, { repository: id, ...at }, { project }): Promise<Page<ContainerTag> | Outside<Page<ContainerTag>>> {
      const repository = await repositoryOf(ctx, project.id, id)
      const { images } = ctx.ports.registry
      if (!images) {
        const rows = ownTags(ctx, id).orderBy('name').select('name')
        return paginate(rows, at, ({ name }) => toTag(repository, name))
      }
      return outside(async () => {
        const page = pageOf(await images.tags(repository.path), at)
        return { ...page, items: page.items.map((name) => toTag(repository, name)) }
      })
    },
  }),

  /** One tag, with what it stands for. */
  get: query({
    on: registry,
    can: 'registry.read',
    input: { repository: Id, tag: v.string() },
    async run(ctx, { repository: id, tag }, { project }): Promise<ContainerTagDetail | Outside<ContainerTagDetail>> {
      const repository = await repositoryOf(ctx, project.id, id)
      return mapped(await imageOf(ctx, repository, tag), (image) => detailed(repository, tag, image))
    },
  }),

  /**
   * Sets a tag, for a host that takes images itself: what it stands for, and what the image says of itself. Refused where
   * images are kept in a registry outside the platform, which knows its tags best.
   */
  put: command({
    on: registry,
    can: 'registry.push',
    input: {
      repository: Id,
      tag: TagName,
      digest: Digest,
      revision: v.optional(v.nullable(Revision), null),
      totalSize: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), null),
      createdAt: v.optional(v.nullable(Instant), null),
    },
    async run(ctx, { repository, tag: name, digest, revision, totalSize, createdAt }, { project }) {
      if (ctx.ports.registry.images) throw invalid('Images are pushed to the registry itself')
      const row = await findRepository(ctx, project.id, repository)
      if (row.leaving) throw conflict('The container repository is being deleted')
      const image: Image = { digest, revision, totalSize, createdAt: createdAt === null ? null : instant(createdAt) }
      const stored = { ...image, putAt: ctx.now }
      await ctx.db
        .insertInto('containerTag')
        .values({ containerRepositoryId: row.id, name, ...stored })
        .onConflict((known) => known.columns(['containerRepositoryId', 'name']).doUpdateSet(stored))
        .execute()
      return detailed(toRepository(ctx, row), name, image)
    },
  }),

  /** Removes one tag. Other tags of the same image stay, and so does what the image is made of. */
  remove: command({
    on: registry,
    can: 'registry.untag',
    input: { repository: Id, tag: v.string() },
    async run(ctx, { repository: id, tag: name }, { project }): Promise<void | Outside<void>> {
      const { path } = await repositoryOf(ctx, project.id, id)
      const { images } = ctx.ports.registry
      if (!images) {
        const gone = await ctx.db
          .deleteFrom('containerTag')
          .where('containerRepositoryId', '=', id)
          .where('name', '=', name)
          .returning('id')
          .execute()
        if (!gone.length) throw notFound('Tag')
        return
      }
      if (!isTagName(name)) throw notFound('Tag')
      return outside(async () => {
        const image = await images.image(path, name)
        // One that stands for nothing is left over from a removal that was interrupted.
        if (!image && !(await images.tags(path)).includes(name)) throw notFound('Tag')
        await images.untag(path, [{ name, digest: image?.digest ?? null }])
      })
    },
  }),

  /**
   * Has tags removed by rule, soon after (specification 2, "Bulk deletion rules"). At most once an hour for a repository,
   * counted from the call that was accepted. `nameRegex` is the former name of `nameRegexDelete`, which wins. Ages count
   * from the call, however long the work waits; in the platform's own tables what is tagged after it stays.
   */
  removeMatching: command({
    on: registry,
    can: 'registry.clean',
    input: {
      repository: Id,
      nameRegex: v.optional(Pattern),
      nameRegexDelete: v.optional(Pattern),
      nameRegexKeep: v.optional(Pattern),
      keepN: v.optional(v.pipe(v.number(), v.safeInteger())),
      olderThan: v.optional(v.pipe(v.string(), v.maxLength(255))),
    },
    rules: [atLeastOne('nameRegex', 'nameRegexDelete')],
    async run(ctx, { repository: id, nameRegex, nameRegexDelete, ...rules }, { project }) {
      await findRepository(ctx, project.id, id)
      await claimHour(ctx, id)
      const given = { nameRegexDelete: nameRegexDelete ?? (nameRegex as string), ...rules }
      await ctx.enqueue('registry.removeTags', { repository: id, rules: given, askedAt: ctx.now })
    },
  }),
}
