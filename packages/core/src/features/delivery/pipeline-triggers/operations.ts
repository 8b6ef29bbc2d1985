import * as v from 'valibot'
import { findActiveActor } from '../../../access/authenticate.ts'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { actDeferredAs } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { digestNewSecret } from '../../accounts/tokens/rows.ts'
import { generateTokenSecret } from '../../accounts/tokens/token.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { createPipeline } from '../pipelines/create-pipeline.ts'
import { PipelineInputs } from '../pipelines/pipeline-input.ts'
import { triggerByToken } from './subject.ts'
import type { PipelineTrigger } from './trigger.ts'

const columns = [
  'id',
  'projectId',
  'ownerId',
  'description',
  'shortToken',
  'expiresAt',
  'createdAt',
  'updatedAt',
  'lastUsed',
] as const

const selectTriggers = ({ db }: Context, projectId: number) =>
  db.selectFrom('pipelineTrigger').where('projectId', '=', projectId).select(columns)

type TriggerRow = Awaited<ReturnType<ReturnType<typeof selectTriggers>['executeTakeFirstOrThrow']>>

const completeTriggers = async (ctx: Context, rows: readonly TriggerRow[]): Promise<PipelineTrigger[]> => {
  const owners = await userSummaries(
    ctx,
    rows.map(({ ownerId }) => ownerId),
  )
  return rows.map(({ projectId: _project, ownerId, shortToken: token, ...row }) => ({
    ...row,
    token,
    owner: defined(owners.get(ownerId)),
  }))
}

const getTrigger = async (ctx: Context, projectId: number, id: number): Promise<PipelineTrigger> => {
  const row = await selectTriggers(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Trigger')
  return defined((await completeTriggers(ctx, [row]))[0])
}

const Description = v.pipe(v.string(), v.maxLength(255))

const Variables = v.pipe(
  v.record(v.string(), v.unknown()),
  // First, so that an error does not list thousands of entries.
  v.maxEntries(100),
  v.record(v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_]{1,255}$/)), v.pipe(v.string(), v.maxLength(10_000))),
)

const triggerInput = {
  /** Id of the trigger, as in `pipelineTriggers.list`. */
  trigger: Id,
}

/** The part of a token that lists show, which distinguishes tokens. */
const shorten = (token: string) => token.slice(token.indexOf('-') + 1).slice(0, 4)

/** Tokens with which programs create pipelines of a project. */
export const pipelineTriggers = {
  /** Lists the triggers of a project, by id. */
  list: query({
    on: project,
    can: 'pipelineTrigger.read',
    input: pagingEntries,
    async run(ctx, paging, { project }): Promise<Page<PipelineTrigger>> {
      const page = await paginate(selectTriggers(ctx, project.id).orderBy('id'), paging, (row): TriggerRow => row)
      return { ...page, items: await completeTriggers(ctx, page.items) }
    },
  }),

  /** Gets a trigger of a project, with the first characters of its token. */
  get: query({
    on: project,
    can: 'pipelineTrigger.read',
    input: triggerInput,
    run: (ctx, { trigger }, { project }) => getTrigger(ctx, project.id, trigger),
  }),

  /** Creates a trigger. Only its result contains the whole token. */
  create: command({
    on: project,
    can: 'pipelineTrigger.manage',
    serializes: 'project',
    input: {
      /** Name for people, at most 255 characters. */
      description: Description,
      /** Time from which the token is invalid; ISO 8601, UTC without an offset. Default: it does not expire. */
      expiresAt: v.optional(v.nullable(Instant), null),
      /** Id or username of the owner; only the host sets it. Default: the current user. */
      owner: v.optional(IdOrName),
      /**
       * The token itself, 1 to 255 printable ASCII characters without blanks, for tests. Default: 160 random bits, prefixed with
       * `fgtt-`.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { description, expiresAt, owner, secret }, { project }): Promise<PipelineTrigger> {
      const token = secret ?? generateTokenSecret(ctx.ports.random, 'fgtt')
      const row = await ctx.db
        .insertInto('pipelineTrigger')
        .values({
          projectId: project.id,
          ownerId: await resolveAuthorId(ctx, owner),
          description,
          digest: await digestNewSecret(ctx, token),
          shortToken: shorten(token),
          expiresAt: expiresAt === null ? null : normalizeInstant(expiresAt),
          createdAt: ctx.now,
          updatedAt: ctx.now,
          lastUsed: null,
        } satisfies CompleteRow<'pipelineTrigger'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return { ...(await getTrigger(ctx, project.id, row.id)), token }
    },
  }),

  /** Changes the description of a trigger. */
  update: command({
    on: project,
    can: 'pipelineTrigger.manage',
    serializes: 'project',
    input: {
      ...triggerInput,
      /** New name for people, at most 255 characters. Default: the present one. */
      description: v.optional(Description),
    },
    async run(ctx, { trigger, description }, { project }) {
      const { id } = await getTrigger(ctx, project.id, trigger)
      await updateChanged(ctx, 'pipelineTrigger', id, { description })
      return getTrigger(ctx, project.id, id)
    },
  }),

  /** Removes a trigger. Its pipelines remain. */
  remove: command({
    on: project,
    can: 'pipelineTrigger.manage',
    serializes: 'project',
    input: triggerInput,
    async run(ctx, { trigger }, { project }) {
      const { id } = await getTrigger(ctx, project.id, trigger)
      await assertRowUnmodified(ctx, 'pipelineTrigger', id)
      await ctx.db.deleteFrom('pipelineTrigger').where('id', '=', id).execute()
    },
  }),

  /**
   * Creates a pipeline from the pipeline file at a branch or tag, on behalf of the owner of the token. Callers need no other
   * identity. With the token of a running job, the source of the pipeline is `pipeline` instead of `trigger`.
   *
   * @throws PlatformError `not_found` if the token is unknown, expired or one of another project; `unauthenticated` for the token of a
   * job that has ended; `invalid` with the reason if there
   * is no such ref, the file is missing or not valid, or its rules leave no job
   */
  run: command({
    on: triggerByToken,
    can: 'pipeline.trigger',
    scopes: ['job_token'],
    serializes: 'project',
    input: {
      /** Name of the branch or tag. */
      ref: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024)),
      /** Values of variables by name, at most 100. Names are letters, digits and `_`. Default: none. */
      variables: v.optional(Variables, {}),
      /** Values for the inputs in the header of the pipeline file by name, at most 20; texts are converted to its types. Default: none. */
      inputs: v.optional(PipelineInputs, {}),
    },
    async run(ctx, { ref, variables, inputs }, { project, owner, access, triggerId }) {
      const list = Object.entries(variables).map(([key, value]) => ({ key, value, variableType: 'env_var' as const }))
      const subject = { kind: 'project', project, access } as const
      const used = { lastUsed: ctx.now }
      // The pipeline file includes files with all permissions of the user, not only those of a job token.
      const user = (await findActiveActor(ctx, owner.id)) ?? owner
      const pipeline = await createPipeline(ctx.actAs(user), subject, {
        ref,
        source: triggerId === null ? 'pipeline' : 'trigger',
        variables: list,
        inputs,
        onCreate: async ({ db }) => {
          if (triggerId === null) return
          await db.updateTable('pipelineTrigger').set(used).where('id', '=', triggerId).execute()
        },
      })
      return actDeferredAs(user, pipeline)
    },
  }),
}
