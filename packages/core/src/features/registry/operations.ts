import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { eachOf } from '../../kernel/each-of.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { mapped, type Outside, outside } from '../../kernel/outside.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { type ContainerRepository, isRepositoryName, toRepository, toTag } from './container-repository.ts'
import { ownCounts, ownNames } from './own-tags.ts'
import { findRepository, repositoriesBelow, repositoriesIn } from './queries.ts'
import { registry, registryOrGroup } from './subject.ts'

const wanted = { tags: v.optional(v.boolean(), false), tagsCount: v.optional(v.boolean(), false) }

type Wanted = { readonly [K in keyof typeof wanted]: boolean }

/** Repositories whose tags are asked for at once in a registry outside. */
const atOnce = 4

type Repositories = readonly ContainerRepository[]

const withNames = (repositories: Repositories, { tags, tagsCount }: Wanted, names: readonly (readonly string[])[]) =>
  repositories.map((repository, at) => ({
    ...repository,
    ...(tagsCount && { tagsCount: names[at]?.length ?? 0 }),
    ...(tags && { tags: (names[at] ?? []).map((name) => toTag(repository, name)) }),
  }))

/** Repositories with what was asked for of their tags. */
const withTags = async (
  ctx: Context,
  repositories: Repositories,
  given: Wanted,
): Promise<Repositories | Outside<Repositories>> => {
  if (!repositories.length || !(given.tags || given.tagsCount)) return repositories
  const { images } = ctx.ports.registry
  if (images) {
    return outside(async () =>
      withNames(repositories, given, await eachOf(repositories, atOnce, ({ path }) => images.tags(path))),
    )
  }
  const ids = repositories.map(({ id }) => id)
  if (!given.tags) {
    const counts = await ownCounts(ctx, ids)
    return repositories.map((repository) => ({ ...repository, tagsCount: counts.get(repository.id) ?? 0 }))
  }
  const names = await ownNames(ctx, ids)
  return withNames(
    repositories,
    given,
    repositories.map(({ id }) => names.get(id) ?? []),
  )
}

export const containerRepositories = {
  /**
   * Repositories of container images, oldest first, of a project or of a group with the groups below it. `name` is the
   * whole name below the project's path (specification 2, "Container registry").
   */
  list: query({
    on: registryOrGroup,
    can: 'registry.read',
    input: { ...paging, name: v.optional(v.string()), ...wanted },
    async run(ctx, { name, tags, tagsCount, ...at }, subject) {
      let rows =
        subject.kind === 'group'
          ? repositoriesBelow(ctx, subject.group.id)
          : repositoriesIn(ctx).where('containerRepository.projectId', '=', subject.project.id)
      if (name !== undefined) rows = rows.where('containerRepository.name', '=', name)
      const page = await paginate(rows.orderBy('containerRepository.id'), at, (row) => toRepository(ctx, row))
      return mapped(await withTags(ctx, page.items, { tags, tagsCount }), (items) => ({ ...page, items }))
    },
  }),

  /** One repository of a project. */
  get: query({
    on: registry,
    can: 'registry.read',
    input: { repository: Id, ...wanted },
    async run(ctx, { repository, ...given }, { project }) {
      const found = toRepository(ctx, await findRepository(ctx, project.id, repository))
      return mapped(await withTags(ctx, [found], given), ([one]) => one as ContainerRepository)
    },
  }),

  /** Adds a repository; without a name that of the project itself. Hosts call it when the first image arrives. */
  create: command({
    on: registry,
    can: 'registry.push',
    input: { name: v.optional(v.string(), '') },
    async run(ctx, { name }, { project }): Promise<ContainerRepository> {
      if (name !== '' && !isRepositoryName(name)) throw invalid({ name: ['is invalid'] })
      const known = await repositoriesIn(ctx)
        .where('containerRepository.projectId', '=', project.id)
        .where('containerRepository.name', '=', name)
        .executeTakeFirst()
      if (known) throw conflict('Container repository already exists')
      const [row] = await ctx.db
        .insertInto('containerRepository')
        .values({ projectId: project.id, name, cleanupAskedAt: null, createdAt: ctx.now })
        .returning('id')
        .execute()
      return toRepository(ctx, await findRepository(ctx, project.id, (row as { id: number }).id))
    },
  }),

  /** Has a repository deleted with all of its tags, soon after. Asking again while it is still there changes nothing. */
  remove: command({
    on: registry,
    can: 'registry.clean',
    input: { repository: Id },
    async run(ctx, { repository }, { project }) {
      const { id } = await findRepository(ctx, project.id, repository)
      await ctx.db.updateTable('containerRepository').set({ leaving: true }).where('id', '=', id).execute()
      await ctx.enqueue('registry.removeRepository', { repository: id }, { key: String(id) })
    },
  }),

  /** Has the repositories of a registry outside added to the projects whose paths they begin with, soon after. */
  discover: command({
    on: instance,
    can: 'registry.discover',
    async run(ctx) {
      if (!ctx.ports.registry.images) throw invalid('There is no registry outside the platform')
      await ctx.enqueue('registry.discover', {}, { key: 'all' })
    },
  }),
}
