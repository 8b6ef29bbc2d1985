import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, mapResult } from '../../../kernel/deferred.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { mapConcurrently } from '../../../shared/map-concurrently.ts'
import {
  type ContainerRepository,
  isRepositoryName,
  toContainerRepository,
  toContainerTag,
} from './container-repository.ts'
import { findUndiscoveredRepositories, insertRepositories } from './discovery.ts'
import { getRepository, selectRepositories, selectRepositoriesBelow, setRepositoryStatus } from './queries.ts'
import { countStoredTags, readStoredTagNames } from './stored-tags.ts'
import { registry, registryOfRepository, registryOrGroup, repositoryEntries } from './subject.ts'

const tagOptions = {
  /** Whether to include all tags of each repository. */
  tags: v.optional(v.boolean(), false),
  /** Whether to include the number of tags of each repository. */
  tagsCount: v.optional(v.boolean(), false),
}

type TagOptions = { readonly [K in keyof typeof tagOptions]: boolean }

/** A notification names one push or a few; the registry repeats it as a whole. */
const maxPushes = 1_000

/** Concurrent requests to the external registry. */
const concurrency = 4

type Repositories = readonly ContainerRepository[]

const addTagNames = (
  repositories: Repositories,
  { tags, tagsCount }: TagOptions,
  names: readonly (readonly string[])[],
) =>
  repositories.map((repository, index) => ({
    ...repository,
    ...(tagsCount && { tagsCount: names[index]?.length ?? 0 }),
    ...(tags && { tags: (names[index] ?? []).map((name) => toContainerTag(repository, name)) }),
  }))

/** Adds the tags and tag counts that were requested. */
const addTags = async (
  ctx: Context,
  repositories: Repositories,
  options: TagOptions,
): Promise<Repositories | Deferred<Repositories>> => {
  if (!repositories.length || !(options.tags || options.tagsCount)) return repositories
  const { images } = ctx.ports.registry
  if (images) {
    return afterTransaction(async () =>
      addTagNames(
        repositories,
        options,
        await mapConcurrently(repositories, concurrency, ({ path }) => images.tags(path)),
      ),
    )
  }
  const ids = repositories.map(({ id }) => id)
  if (!options.tags) {
    const counts = await countStoredTags(ctx, ids)
    return repositories.map((repository) => ({ ...repository, tagsCount: counts.get(repository.id) ?? 0 }))
  }
  const names = await readStoredTagNames(ctx, ids)
  return addTagNames(
    repositories,
    options,
    repositories.map(({ id }) => names.get(id) ?? []),
  )
}

const getWithTags = async (ctx: Context, projectId: number, id: number, options: TagOptions) => {
  const repository = toContainerRepository(ctx, await getRepository(ctx, projectId, id))
  return mapResult(await addTags(ctx, [repository], options), ([result]) => defined(result))
}

export const containerRepositories = {
  /**
   * Lists container repositories of a project, or of a group and its subgroups, oldest first (specification 2, "Container
   * registry"). Repositories of projects with a disabled registry are omitted.
   */
  list: query({
    on: registryOrGroup,
    can: 'registry.read',
    input: {
      ...pagingEntries,
      /**
       * Only the repository with this full name below the project path; an empty text for the project's own repository.
       */
      name: v.optional(v.string()),
      ...tagOptions,
    },
    async run(
      ctx,
      { name, tags, tagsCount, ...paging },
      subject,
    ): Promise<Page<ContainerRepository> | Deferred<Page<ContainerRepository>>> {
      let rows =
        subject.kind === 'group'
          ? selectRepositoriesBelow(ctx, subject.group.id)
          : selectRepositories(ctx).where('containerRepository.projectId', '=', subject.project.id)
      if (name !== undefined) rows = rows.where('containerRepository.name', '=', name)
      const page = await paginate(rows.orderBy('containerRepository.id'), paging, (row) =>
        toContainerRepository(ctx, row),
      )
      return mapResult(await addTags(ctx, page.items, { tags, tagsCount }), (items) => ({ ...page, items }))
    },
  }),

  /** Gets a repository, with its tags on request. */
  get: query({
    on: registryOfRepository,
    can: 'registry.read',
    input: { ...repositoryEntries, ...tagOptions },
    run: (ctx, { repository, ...options }, { project }) => getWithTags(ctx, project.id, repository, options),
  }),

  /**
   * Creates a repository, by default the project's own. Hosts call it on the first push of an image. Fails with
   * `conflict` if the repository exists.
   */
  create: command({
    on: registry,
    can: 'registry.push',
    input: {
      /**
       * Lower-case path below the project, such as `worker` or `team/worker`; at most 255 characters. Default: the
       * project's own repository.
       */
      name: v.optional(v.string(), ''),
    },
    async run(ctx, { name }, { project }): Promise<ContainerRepository> {
      if (name !== '' && !isRepositoryName(name)) throw invalid({ name: ['is invalid'] })
      const existing = await selectRepositories(ctx)
        .where('containerRepository.projectId', '=', project.id)
        .where('containerRepository.name', '=', name)
        .executeTakeFirst()
      if (existing) throw conflict('Container repository already exists')
      const row = await ctx.db
        .insertInto('containerRepository')
        .values({
          projectId: project.id,
          name,
          status: null,
          cleanupAskedAt: null,
          cleanupPolicyStartedAt: null,
          createdAt: ctx.now,
        } satisfies CompleteRow<'containerRepository'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return toContainerRepository(ctx, await getRepository(ctx, project.id, row.id))
    },
  }),

  /**
   * Enqueues the deletion of a repository with all its tags. Repeated calls have no effect until the deletion has failed (`delete_failed`), which
   * they start again.
   */
  remove: command({
    on: registry,
    can: 'registry.clean',
    input: repositoryEntries,
    async run(ctx, { repository }, { project }) {
      const { id, status } = await getRepository(ctx, project.id, repository)
      if (status === null || status === 'delete_failed') await setRepositoryStatus(ctx, id, 'delete_scheduled')
      await ctx.enqueue('registry.removeRepository', { repository: id }, { key: String(id) })
    },
  }),

  /**
   * Records the repositories of images that were pushed to the external registry, as its notifications name them. Known repositories and paths without a
   * project are ignored. Fails with `invalid` without an external registry.
   */
  recordPushes: command({
    on: instance,
    can: 'registry.recordPushes',
    input: {
      /** Paths of repositories in the registry, such as `acme/web/worker`. */
      paths: v.pipe(v.array(v.pipe(v.string(), v.maxLength(1_000))), v.maxLength(maxPushes)),
    },
    async run(ctx, { paths }) {
      if (!ctx.ports.registry.images) throw invalid('No external registry is configured')
      const missing = await findUndiscoveredRepositories(ctx, [...new Set(paths)].filter(isRepositoryName))
      if (missing.length) await insertRepositories(ctx, missing)
    },
  }),

  /**
   * Enqueues a search for repositories of the external registry that are missing in the database. Fails with `invalid`
   * without an external registry.
   */
  discover: command({
    on: instance,
    can: 'registry.discover',
    async run(ctx) {
      if (!ctx.ports.registry.images) throw invalid('No external registry is configured')
      await ctx.enqueue('registry.discover', {}, { key: 'all' })
    },
  }),
}
