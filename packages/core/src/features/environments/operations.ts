import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { matchesPattern } from '../../db/functions.ts'
import { assertUnmodified } from '../../kernel/assert-unmodified.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { escapeLikePattern } from '../../shared/search-text.ts'
import { type Environment, type EnvironmentDetail, parseEnvironmentInput } from './environment.ts'
import { assertNameAvailable, insertEnvironment } from './mutations.ts'
import { findEnvironment, findLastDeployment, selectEnvironments, toEnvironment } from './queries.ts'

const Text = v.pipe(v.string(), v.maxLength(255))

/** Slugs are generated. An explicit error is clearer than an ignored input. */
const ReadOnlySlug = v.optional(
  v.pipe(
    v.string(),
    v.check(() => false, 'is automatically generated and cannot be changed'),
  ),
)

const environmentInput = {
  /** Id of an environment of the project. */
  environment: Id,
}

const slugInput = {
  /** Rejected: the slug is generated from the name and cannot be changed. */
  slug: ReadOnlySlug,
}

const exclusiveNameAndSearch: InputRule<{ name?: string | undefined; search?: string | undefined }> = ({
  name,
  search,
}) =>
  name !== undefined && search !== undefined
    ? { fields: ['name', 'search'], message: 'cannot be used together' }
    : undefined

export const environments = {
  /** Lists the environments of a project, ordered by id. */
  list: query({
    on: project,
    can: 'environment.read',
    scopes: ['job_token'],
    input: {
      ...pagingEntries,
      /** Only the environment with exactly this name. Cannot be combined with `search`. */
      name: v.optional(Text),
      /** Only environments whose name begins with this text, at most 255 characters. Cannot be combined with `name`. */
      search: v.optional(Text),
    },
    rules: [exclusiveNameAndSearch],
    run(ctx, { name, search, ...paging }, subject) {
      let rows = selectEnvironments(ctx, subject.project.id).orderBy('id')
      if (name !== undefined) rows = rows.where('name', '=', name)
      if (search !== undefined) rows = rows.where(matchesPattern('name', `${escapeLikePattern(search)}%`))
      return paginate(rows, paging, toEnvironment)
    },
  }),

  /** Gets an environment with its newest successful deployment. */
  get: query({
    on: project,
    can: 'environment.read',
    scopes: ['job_token'],
    input: environmentInput,
    async run(ctx, { environment }, subject): Promise<EnvironmentDetail> {
      const row = await findEnvironment(ctx, subject.project.id, environment)
      return { ...toEnvironment(row), lastDeployment: await findLastDeployment(ctx, subject.project, row.id) }
    },
  }),

  /**
   * Creates an available environment. Its slug is generated from the name.
   *
   * @throws PlatformError `invalid` for an invalid or taken name, or an invalid URL
   */
  create: command({
    on: project,
    can: 'environment.manage',
    scopes: ['job_token'],
    input: {
      /**
       * Unique within the project: 1 to 255 letters, digits, spaces and `-`, `_`, `/`, `$`, `{`, `}`, `.`; no `/` at either
       * end.
       */
      name: v.string(),
      /** URL of the deployed application, http or https, at most 255 characters. Blank or null for none (default). */
      externalUrl: v.optional(v.nullable(v.string()), null),
      ...slugInput,
    },
    run: (ctx, input, subject) => insertEnvironment(ctx, subject.project.id, input),
  }),

  /**
   * Updates an environment; absent fields stay unchanged. The slug does not change.
   *
   * @throws PlatformError `invalid` for an invalid or taken name, or an invalid URL
   */
  update: command({
    on: project,
    can: 'environment.manage',
    scopes: ['job_token'],
    input: {
      ...environmentInput,
      /**
       * Unique within the project: 1 to 255 letters, digits, spaces and `-`, `_`, `/`, `$`, `{`, `}`, `.`; no `/` at either
       * end.
       */
      name: v.optional(v.string()),
      /** URL of the deployed application, http or https, at most 255 characters. Blank or null for none. */
      externalUrl: v.optional(v.nullable(v.string())),
      ...slugInput,
    },
    async run(ctx, { environment: id, ...input }, subject): Promise<Environment> {
      const row = await findEnvironment(ctx, subject.project.id, id)
      const change = parseEnvironmentInput(input)
      if (change.name !== undefined) await assertNameAvailable(ctx, subject.project.id, change.name, id)
      await ctx.db
        .updateTable('environment')
        .set({ ...change, updatedAt: ctx.now })
        .where('id', '=', id)
        .execute()
      return { ...toEnvironment(row), ...change }
    },
  }),

  /** Removes an environment and its deployments. */
  remove: command({
    on: project,
    can: 'environment.manage',
    scopes: ['job_token'],
    input: environmentInput,
    async run(ctx, { environment }, subject) {
      const { id, updatedAt } = await findEnvironment(ctx, subject.project.id, environment)
      assertUnmodified(ctx, updatedAt)
      await ctx.db.deleteFrom('environment').where('id', '=', id).execute()
    },
  }),

  /** Stops an environment; a stopped one stays unchanged. The next successful deployment makes it available again. */
  stop: command({
    on: project,
    can: 'environment.manage',
    scopes: ['job_token'],
    input: environmentInput,
    async run(ctx, { environment }, subject): Promise<Environment> {
      const row = await findEnvironment(ctx, subject.project.id, environment)
      if (row.state === 'stopped') return toEnvironment(row)
      await ctx.db
        .updateTable('environment')
        .set({ state: 'stopped', updatedAt: ctx.now })
        .where('id', '=', row.id)
        .execute()
      return { ...toEnvironment(row), state: 'stopped' }
    },
  }),
}
