import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { matchesPattern } from '../../../db/functions.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { escapeLikePattern } from '../../../kernel/search-text.ts'
import { environmentTiers } from '../../code/pipeline-records/job-environment.ts'
import { findPipeline } from '../../code/pipeline-records/queries.ts'
import { resolveOptionalAuthor } from '../../planning/issuables/author.ts'
import type { Deployment } from '../deployments/deployment.ts'
import { assertMayChangePipeline } from '../pipelines/reference-permission.ts'
import { assertMayChangeEnvironment } from '../protected-environments/deploy-access.ts'
import { addCommits } from './commits.ts'
import { autoStopSettings, type Environment, type EnvironmentDetail, parseEnvironmentInput } from './environment.ts'
import { assertNameAvailable, insertEnvironment } from './mutations.ts'
import { findEnvironment, findLastDeployment, selectEnvironments, toEnvironment } from './queries.ts'
import { findStopJob, stopEnvironment } from './stop.ts'

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

const tierInput = {
  /** Kind of environment. Default of a new environment: follows from its name. */
  tier: v.optional(v.picklist(environmentTiers)),
}

const descriptionInput = {
  /** Text for people about the environment: at most 10,000 characters. Null for none, the default of a new environment. */
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(10_000)))),
}

const autoStopInput = {
  /**
   * `always` stops the environment at its end, and that of its branch or merge request; `with_action` only if a job stops it.
   * Default of a new environment: `with_action` for the tiers `production` and `staging`, otherwise `always`.
   */
  autoStopSetting: v.optional(v.picklist(autoStopSettings)),
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
      /** Only environments in this state. Default: all. */
      states: v.optional(v.picklist(['available', 'stopping', 'stopped'])),
    },
    rules: [exclusiveNameAndSearch],
    run(ctx, { name, search, states, ...paging }, subject) {
      let rows = selectEnvironments(ctx, subject.project.id).orderBy('id')
      if (name !== undefined) rows = rows.where('name', '=', name)
      if (states !== undefined) rows = rows.where('state', '=', states)
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
    async run(ctx, { environment }, subject) {
      const row = await findEnvironment(ctx, subject.project.id, environment)
      const lastDeployment = await findLastDeployment(ctx, subject.project, row.id)
      const toDetail = ([last]: readonly Deployment[]): EnvironmentDetail => ({
        ...toEnvironment(row),
        lastDeployment: last ?? null,
      })
      return addCommits(ctx, subject, lastDeployment ? [lastDeployment] : [], toDetail)
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
      ...tierInput,
      ...descriptionInput,
      ...autoStopInput,
      ...slugInput,
    },
    run: async (ctx, input, subject) => toEnvironment(await insertEnvironment(ctx, subject.project.id, input)),
  }),

  /**
   * Updates an environment; omitted fields stay unchanged. The slug does not change.
   *
   * @throws PlatformError `invalid` for an invalid or taken name, or an invalid URL; `forbidden` if it is protected against the current user
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
      ...tierInput,
      ...descriptionInput,
      ...autoStopInput,
      ...slugInput,
    },
    async run(ctx, { environment: id, tier, description, autoStopSetting, ...input }, subject): Promise<Environment> {
      const row = await findEnvironment(ctx, subject.project.id, id)
      const change = parseEnvironmentInput(input)
      await assertMayChangeEnvironment(ctx, subject.project, row.name)
      if (change.name !== undefined) await assertMayChangeEnvironment(ctx, subject.project, change.name)
      if (change.name !== undefined) await assertNameAvailable(ctx, subject.project.id, change.name, id)
      await updateChanged(ctx, 'environment', id, {
        ...change,
        ...(tier && { tier }),
        ...(description !== undefined && { description }),
        ...(autoStopSetting && { autoStopSetting }),
      })
      return toEnvironment(await findEnvironment(ctx, subject.project.id, row.id))
    },
  }),

  /**
   * Removes an environment and its deployments.
   *
   * @throws PlatformError `forbidden` if it is protected against the current user
   */
  remove: command({
    on: project,
    can: 'environment.manage',
    scopes: ['job_token'],
    input: environmentInput,
    async run(ctx, { environment }, subject) {
      const { id, name, updatedAt } = await findEnvironment(ctx, subject.project.id, environment)
      await assertMayChangeEnvironment(ctx, subject.project, name)
      assertUnmodified(ctx, updatedAt)
      await ctx.db.deleteFrom('environment').where('id', '=', id).execute()
    },
  }),

  /**
   * Stops an environment; a stopped one stays unchanged. If the newest deployment names a job for that (`on_stop`) which waits for a
   * start, the job starts, and the environment is `stopping` until the job has succeeded. The next successful deployment makes it
   * available again.
   *
   * @throws PlatformError `forbidden` if the environment is protected against the current user, or the branch of the job that stops it
   */
  stop: command({
    on: project,
    can: 'environment.manage',
    scopes: ['job_token'],
    input: {
      ...environmentInput,
      /** Whether to stop the environment at once, without its job. Default: false. */
      force: v.optional(v.boolean(), false),
    },
    async run(ctx, { environment, force }, { project }): Promise<Environment> {
      const row = await findEnvironment(ctx, project.id, environment)
      await assertMayChangeEnvironment(ctx, project, row.name)
      if (row.state === 'stopped' || (row.state === 'stopping' && !force)) return toEnvironment(row)
      const job = force ? undefined : await findStopJob(ctx, project.id, row.id)
      const userId = await resolveOptionalAuthor(ctx, undefined)
      if (job) await assertMayChangePipeline(ctx, project, await findPipeline(ctx, project.id, job.pipelineId))
      await stopEnvironment(ctx, project.id, row, job, userId)
      return toEnvironment(await findEnvironment(ctx, project.id, row.id))
    },
  }),
}
