import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, forbidden, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { recordContact } from './contact.ts'
import { listRunners, runnerListInput, runnerPlace } from './list.ts'
import { readRunner } from './queries.ts'
import type { NewRunner } from './runner.ts'
import { assertTakesJobs, replaceTags, runnerSettingsInput } from './settings.ts'
import { runnerById, runnerByIdOrToken, runnerByToken } from './subject.ts'

const assignmentInput = {
  /** Id of a runner of some projects. */
  runner: Id,
}

/** @throws PlatformError `forbidden` if a runner can be enabled for no other project by the current user */
const assertAssignable = (ctx: Context, subject: Subjects['runner']) => {
  const { runnerType, locked } = subject.runner
  if (runnerType !== 'project_type')
    throw forbidden(`Runner is ${runnerType === 'group_type' ? 'a group' : 'an instance'} runner`)
  if (locked && !isAdministrator(ctx.actor)) throw forbidden('Runner is locked')
  assertAbility<'runner'>(ctx.actor, subject, 'runner.manage')
}

/** Programs that take jobs. The platform executes none itself: runners ask for jobs over the network. */
export const runners = {
  /** Lists the runners that can take jobs of a project, those of a group, those of the instance, or those that the current user manages. */
  list: query({
    on: runnerPlace,
    can: 'runner.list',
    scopes: ['manage_runner'],
    input: runnerListInput,
    run: listRunners,
  }),

  /** Gets a runner with its settings, projects and groups. */
  get: query({
    on: runnerById,
    can: 'runner.read',
    scopes: ['manage_runner'],
    run: (ctx, _input, { runner }) => readRunner(ctx, runner.id),
  }),

  /** Changes the settings of a runner. */
  update: command({
    on: runnerById,
    can: 'runner.manage',
    scopes: ['manage_runner'],
    serializes: 'instance',
    input: runnerSettingsInput,
    rules: [atLeastOne(...(Object.keys(runnerSettingsInput) as (keyof typeof runnerSettingsInput)[]))],
    async run(ctx, { tagList, ...settings }, { runner: { id } }) {
      const { runUntagged, tagList: tags } = await readRunner(ctx, id)
      assertTakesJobs(tagList ?? tags, settings.runUntagged ?? runUntagged)
      await updateChanged(ctx, 'runner', id, settings)
      if (tagList !== undefined) await replaceTags(ctx, id, tagList)
      return readRunner(ctx, id)
    },
  }),

  /**
   * Removes a runner, which its id or its token identifies. Its jobs remain.
   *
   * @throws PlatformError `forbidden` for a runner of several projects, except for administrators and with its token
   */
  remove: command({
    on: runnerByIdOrToken,
    can: 'runner.remove',
    scopes: ['manage_runner'],
    serializes: 'instance',
    async run(ctx, _input, { runner: { id, projectIds }, token }) {
      if (token === null && projectIds.length > 1 && !isAdministrator(ctx.actor))
        throw forbidden('Runner associated with more than one project')
      await assertRowUnmodified(ctx, 'runner', id)
      await ctx.db.deleteFrom('runner').where('id', '=', id).execute()
    },
  }),

  /** Verifies the token of a runner. */
  verify: command({
    on: runnerByToken,
    can: 'runner.useToken',
    serializes: 'instance',
    async run(ctx, _input, { runner: { id }, token }): Promise<NewRunner> {
      await recordContact(ctx, id)
      const { tokenExpiresAt } = await ctx.db
        .selectFrom('runner')
        .where('id', '=', id)
        .select('tokenExpiresAt')
        .executeTakeFirstOrThrow()
      return { id, token: token ?? '', tokenExpiresAt }
    },
  }),

  /**
   * Enables a runner of other projects for a project.
   *
   * @throws PlatformError `forbidden` for a runner of a group or the instance, for one that is locked, and for one that the current user
   * does not manage; `conflict` if the project has it already
   */
  enable: command({
    on: project,
    can: 'runner.manage',
    scopes: ['manage_runner'],
    serializes: 'instance',
    input: assignmentInput,
    async run(ctx, { runner }, { project }) {
      const subject = await loadVisible(ctx, runnerById, { runner })
      assertAssignable(ctx, subject)
      if (subject.runner.projectIds.includes(project.id)) throw conflict('Runner is already enabled for the project')
      const row = { runnerId: runner, projectId: project.id }
      await ctx.db
        .insertInto('runnerProject')
        .values(row satisfies CompleteRow<'runnerProject'>)
        .execute()
      return readRunner(ctx, runner)
    },
  }),

  /** Disables a runner for a project. @throws PlatformError `forbidden` if the runner has no other project */
  disable: command({
    on: project,
    can: 'runner.manage',
    scopes: ['manage_runner'],
    serializes: 'instance',
    input: assignmentInput,
    async run(ctx, { runner }, { project }) {
      const subject = await runnerById.load(ctx, { runner })
      const { projectIds } = subject.runner
      if (!projectIds.includes(project.id)) throw notFound('Runner')
      if (projectIds.length === 1)
        throw forbidden('Only one project associated with the runner. Please remove the runner instead')
      await assertRowUnmodified(ctx, 'runner', runner)
      const rows = ctx.db.deleteFrom('runnerProject').where('runnerId', '=', runner)
      await rows.where('projectId', '=', project.id).execute()
    },
  }),
}
