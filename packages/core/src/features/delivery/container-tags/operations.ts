import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { latestStoredTime } from '../../../kernel/clock-skew.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, mapResult } from '../../../kernel/deferred.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, paginateArray, pagingEntries } from '../../../kernel/paging.ts'
import { type Image, isTagName } from '../../../ports/registry.ts'
import { defined } from '../../../shared/defined.ts'
import {
  type ContainerRepository,
  type ContainerTag,
  type ContainerTagDetail,
  toContainerRepository,
  toContainerTag,
} from '../container-repositories/container-repository.ts'
import { Digest, Pattern, Revision, TagName } from '../container-repositories/inputs.ts'
import { getRepository } from '../container-repositories/queries.ts'
import { findStoredImage, selectStoredTags } from '../container-repositories/stored-tags.ts'
import { registry } from '../container-repositories/subject.ts'

const shortRevisionLength = 9

/** Minimum interval between two bulk deletions of a repository: specification 1, "Limits". */
const cleanupIntervalMs = 3_600_000

const cleanupIntervalMessage =
  'This request has already been made. You can run this at most once an hour for a given container repository'

const toTagDetail = (repository: ContainerRepository, name: string, image: Image | undefined): ContainerTagDetail => {
  if (!image) throw notFound('Tag')
  const { revision, digest, createdAt, totalSize } = image
  const shortRevision = revision?.slice(0, shortRevisionLength) ?? null
  return { ...toContainerTag(repository, name), revision, shortRevision, digest, createdAt, totalSize }
}

/** The image of a tag in the external registry or the database. Invalid tag names are not sent to the registry. */
const findImage = async (
  ctx: Context,
  { id, path }: ContainerRepository,
  tag: string,
): Promise<Image | undefined | Deferred<Image | undefined>> => {
  const { images } = ctx.ports.registry
  if (!isTagName(tag)) return undefined
  return images ? afterTransaction(() => images.image(path, tag)) : findStoredImage(ctx, id, tag)
}

const getContainerRepository = async (ctx: Context, projectId: number, id: number) =>
  toContainerRepository(ctx, await getRepository(ctx, projectId, id))

/**
 * Claims the current interval of a repository. The update is atomic across processes. A time in the future was stored
 * before the clock was set back and does not count.
 */
const claimCleanup = async (ctx: Context, id: number) => {
  const before = new Date(Date.parse(ctx.now) - cleanupIntervalMs).toISOString()
  const claimed = await ctx.db
    .updateTable('containerRepository')
    .set({ cleanupAskedAt: ctx.now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('cleanupAskedAt', 'is', null),
        eb('cleanupAskedAt', '<=', before),
        eb('cleanupAskedAt', '>', latestStoredTime(ctx.now)),
      ]),
    )
    .returning('id')
    .execute()
  if (!claimed.length) throw invalid(cleanupIntervalMessage)
}

export const containerTags = {
  /** Lists tags of a repository, by name, without the details of their images. */
  list: query({
    on: registry,
    can: 'registry.read',
    input: {
      /** Id of the repository, as in `containerRepositories.list`. */
      repository: Id,
      ...pagingEntries,
    },
    async run(
      ctx,
      { repository: id, ...paging },
      { project },
    ): Promise<Page<ContainerTag> | Deferred<Page<ContainerTag>>> {
      const repository = await getContainerRepository(ctx, project.id, id)
      const { images } = ctx.ports.registry
      if (!images) {
        const rows = selectStoredTags(ctx, id).orderBy('name').select('name')
        return paginate(rows, paging, ({ name }) => toContainerTag(repository, name))
      }
      return afterTransaction(async () => {
        const page = paginateArray(await images.tags(repository.path), paging)
        return { ...page, items: page.items.map((name) => toContainerTag(repository, name)) }
      })
    },
  }),

  /** Gets a tag with the details of its image. Fails with `not_found` for a tag without an image. */
  get: query({
    on: registry,
    can: 'registry.read',
    input: {
      /** Id of the repository, as in `containerRepositories.list`. */
      repository: Id,
      /** Name of the tag, such as `v1`. */
      tag: v.string(),
    },
    async run(ctx, { repository: id, tag }, { project }): Promise<ContainerTagDetail | Deferred<ContainerTagDetail>> {
      const repository = await getContainerRepository(ctx, project.id, id)
      return mapResult(await findImage(ctx, repository, tag), (image) => toTagDetail(repository, tag, image))
    },
  }),

  /**
   * Creates or replaces a tag, for a host that receives images itself.
   *
   * @throws PlatformError `invalid` with an external registry, which manages its own tags
   */
  set: command({
    on: registry,
    can: 'registry.push',
    input: {
      /** Id of the repository, as in `containerRepositories.list`. */
      repository: Id,
      /**
       * Name of the tag: letters, digits, `_`, `.` and `-`, at most 128 characters, not starting with `.` or `-`. An
       * existing tag is replaced.
       */
      tag: TagName,
      /** Digest of the manifest: `sha256:` and 64 lower-case hexadecimal digits. */
      digest: Digest,
      /** Digest of the image configuration: 64 lower-case hexadecimal digits without `sha256:`; null if unknown. */
      revision: v.optional(v.nullable(Revision), null),
      /** Sum of the layers in bytes; null if unknown. */
      totalSize: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), null),
      /** When the image was built: ISO 8601; UTC if it has no offset; null if unknown. */
      createdAt: v.optional(v.nullable(Instant), null),
    },
    async run(ctx, { repository, tag: name, digest, revision, totalSize, createdAt }, { project }) {
      if (ctx.ports.registry.images) throw invalid('Tags cannot be set here: push the image to the external registry')
      const row = await getRepository(ctx, project.id, repository)
      if (row.status !== null && row.status !== 'delete_failed')
        throw conflict('The container repository is being deleted')
      const image: Image = {
        digest,
        revision,
        totalSize,
        createdAt: createdAt === null ? null : normalizeInstant(createdAt),
      }
      const stored = { ...image, putAt: ctx.now }
      await ctx.db
        .insertInto('containerTag')
        .values({ containerRepositoryId: row.id, name, ...stored } satisfies CompleteRow<'containerTag'>)
        .onConflict((oc) => oc.columns(['containerRepositoryId', 'name']).doUpdateSet(stored))
        .execute()
      return toTagDetail(toContainerRepository(ctx, row), name, image)
    },
  }),

  /** Removes one tag. The image data and other tags of the same image are kept. */
  remove: command({
    on: registry,
    can: 'registry.untag',
    input: {
      /** Id of the repository, as in `containerRepositories.list`. */
      repository: Id,
      /** Name of the tag, such as `v1`. */
      tag: v.string(),
    },
    async run(ctx, { repository: id, tag: name }, { project }): Promise<void | Deferred<void>> {
      const { path } = await getContainerRepository(ctx, project.id, id)
      const { images } = ctx.ports.registry
      if (!images) {
        const deleted = await ctx.db
          .deleteFrom('containerTag')
          .where('containerRepositoryId', '=', id)
          .where('name', '=', name)
          .returning('id')
          .execute()
        if (!deleted.length) throw notFound('Tag')
        return
      }
      if (!isTagName(name)) throw notFound('Tag')
      return afterTransaction(async () => {
        const image = await images.image(path, name)
        // A listed tag without an image is left over from an interrupted removal.
        if (!image && !(await images.tags(path)).includes(name)) throw notFound('Tag')
        await images.untag(path, [{ name, digest: image?.digest ?? null }])
      })
    },
  }),

  /**
   * Enqueues the removal of tags by rule (specification 2, "Bulk deletion rules"). Accepted at most once per hour and
   * repository, otherwise `invalid`. Ages are measured from the call, not from the run of the job; stored tags that are
   * set after the call are kept.
   */
  removeMatching: command({
    on: registry,
    can: 'registry.clean',
    input: {
      /** Id of the repository, as in `containerRepositories.list`. */
      repository: Id,
      /** The former name of `nameRegexDelete`, which takes precedence. One of the two is required. */
      nameRegex: v.optional(Pattern),
      /**
       * RE2 expression that the whole name of a removed tag matches; `.*` matches all. At most 1,024 characters.
       * `latest` is never removed.
       */
      nameRegexDelete: v.optional(Pattern),
      /** RE2 expression of names to keep, with precedence over `nameRegexDelete`. Default: none. */
      nameRegexKeep: v.optional(Pattern),
      /**
       * Number of newest matching tags to keep, by the time when their images were built. A negative number removes
       * nothing.
       */
      keepN: v.optional(v.pipe(v.number(), v.safeInteger())),
      /**
       * Minimum age of removed images, such as `1h`, `1d` or `1month` (30 days). An unreadable duration removes
       * nothing.
       */
      olderThan: v.optional(v.pipe(v.string(), v.maxLength(255))),
    },
    rules: [atLeastOne('nameRegex', 'nameRegexDelete')],
    async run(ctx, { repository: id, nameRegex, nameRegexDelete, ...rules }, { project }) {
      await getRepository(ctx, project.id, id)
      await claimCleanup(ctx, id)
      await ctx.enqueue('registry.removeTags', {
        repository: id,
        rules: { nameRegexDelete: nameRegexDelete ?? defined(nameRegex), ...rules },
        requestedAt: ctx.now,
      })
    },
  }),
}
