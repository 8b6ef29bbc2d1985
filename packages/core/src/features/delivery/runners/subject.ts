import * as v from 'valibot'
import { getGroupAccessLevel } from '../../../access/actor-level.ts'
import { getProjectAccessLevels } from '../../../access/actor-levels.ts'
import { Access } from '../../../access/levels.ts'
import { hashToken } from '../../../access/token-digest.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { exactlyOne, Id } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'

const runnerEntries = {
  /** Id of the runner. */
  runner: Id,
}

const tokenEntries = {
  /** Authentication token of the runner. */
  token: v.pipe(v.string(), v.maxLength(255)),
}

const selectRunner = ({ db }: Context) => db.selectFrom('runner').select(['id', 'runnerType', 'groupId', 'locked'])

type RunnerRow = Awaited<ReturnType<ReturnType<typeof selectRunner>['executeTakeFirstOrThrow']>>

/** Greatest number of projects for which a permission is looked up. */
const maxProjects = 1_000

/** Whether the current user manages the group or one of the projects of a runner. */
const isManagedByActor = async (ctx: Context, groupId: number | null, projectIds: readonly number[]) => {
  if (groupId !== null) return (await getGroupAccessLevel(ctx, groupId)) >= Access.owner
  if (!projectIds.length) return false
  const levelOf = await getProjectAccessLevels(ctx, projectIds)
  return projectIds.some((id) => levelOf(id) >= Access.maintainer)
}

const toSubject = async (ctx: Context, { groupId, ...row }: RunnerRow): Promise<Subjects['runner']> => {
  const rows = await ctx.db
    .selectFrom('runnerProject')
    .where('runnerId', '=', row.id)
    .orderBy('id')
    .limit(maxProjects)
    .select('projectId')
    .execute()
  const projectIds = rows.map(({ projectId }) => projectId)
  const isManager = await isManagedByActor(ctx, groupId, projectIds)
  return { kind: 'runner', runner: { ...row, projectIds }, isManager, token: null }
}

const loadById = async (ctx: Context, runner: number) => {
  const row = await selectRunner(ctx).where('id', '=', runner).executeTakeFirst()
  if (row === undefined) throw notFound('Runner')
  return toSubject(ctx, row)
}

const loadByToken = async (ctx: Context, token: string): Promise<Subjects['runner']> => {
  const row = await selectRunner(ctx)
    .where('digest', '=', hashToken(token))
    .where((eb) => eb.or([eb('tokenExpiresAt', 'is', null), eb('tokenExpiresAt', '>', ctx.now)]))
    .executeTakeFirst()
  if (row === undefined) throw forbidden('Unknown runner token')
  const { groupId: _, ...runner } = row
  return { kind: 'runner', runner: { ...runner, projectIds: [] }, isManager: false, token }
}

/** A runner by its id. */
export const runnerById: SubjectLoader<'runner', typeof runnerEntries> = {
  kinds: ['runner'],
  entries: runnerEntries,
  load: (ctx, { runner }) => loadById(ctx, runner),
}

/** A runner by its token, which is the only permission that it needs. */
export const runnerByToken: SubjectLoader<'runner', typeof tokenEntries> = {
  kinds: ['runner'],
  entries: tokenEntries,
  load: (ctx, { token }) => loadByToken(ctx, token),
}

const eitherEntries = {
  /** Id of the runner. Required unless `token` is set. */
  runner: v.optional(runnerEntries.runner),
  /** Authentication token of the runner, instead of its id. */
  token: v.optional(tokenEntries.token),
}

/** A runner by its id or its token. */
export const runnerByIdOrToken: SubjectLoader<'runner', typeof eitherEntries> = {
  kinds: ['runner'],
  entries: eitherEntries,
  rules: [exactlyOne('runner', 'token')],
  load: (ctx, { runner, token = '' }) => (runner === undefined ? loadByToken(ctx, token) : loadById(ctx, runner)),
}
