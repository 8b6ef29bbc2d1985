import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { readForkSources } from '../../spaces/projects/record-queries.ts'
import type { Runner, RunnerDetails, RunnerStatus } from './runner.ts'

const columns = [
  'runner.id',
  'runner.runnerType',
  'runner.description',
  'runner.paused',
  'runner.name',
  'runner.ipAddress',
  'runner.contactedAt',
  'runner.createdAt',
  'runner.creatorId',
] as const

export const selectRunners = ({ db }: Context) => db.selectFrom('runner').select(columns)

type RunnerRow = Awaited<ReturnType<ReturnType<typeof selectRunners>['executeTakeFirstOrThrow']>>

/** Seconds from a contact until a runner is offline, and until it is stale. */
const onlineSeconds = 7_200
const staleSeconds = 604_800

const getStatus = (
  { contactedAt, createdAt }: Pick<RunnerRow, 'contactedAt' | 'createdAt'>,
  now: string,
): RunnerStatus => {
  const staleSince = addSeconds(now, -staleSeconds)
  if (createdAt <= staleSince && (contactedAt ?? '') <= staleSince) return 'stale'
  if (contactedAt === null) return 'never_contacted'
  return contactedAt > addSeconds(now, -onlineSeconds) ? 'online' : 'offline'
}

/** The runners with a status. */
export const hasStatus =
  (status: RunnerStatus, { now }: Context) =>
  (eb: ExpressionBuilder<Database, 'runner'>) => {
    const staleSince = addSeconds(now, -staleSeconds)
    const onlineSince = addSeconds(now, -onlineSeconds)
    const isStale = eb.and([
      eb('createdAt', '<=', staleSince),
      eb.or([eb('contactedAt', 'is', null), eb('contactedAt', '<=', staleSince)]),
    ])
    const conditions = {
      stale: isStale,
      never_contacted: eb.and([eb('contactedAt', 'is', null), eb('createdAt', '>', staleSince)]),
      online: eb('contactedAt', '>', onlineSince),
      offline: eb.and([eb('contactedAt', '<=', onlineSince), eb.not(isStale)]),
    }
    return conditions[status]
  }

const readCreators = (ctx: Context, rows: readonly RunnerRow[]) =>
  userSummaries(
    ctx,
    rows.map(({ creatorId }) => creatorId),
  )

type Creators = Awaited<ReturnType<typeof readCreators>>

const toRunner =
  ({ now }: Context, creators: Creators) =>
  ({ creatorId, contactedAt, ...row }: RunnerRow): Runner => ({
    ...row,
    status: getStatus({ contactedAt, createdAt: row.createdAt }, now),
    createdBy: creators.get(creatorId ?? 0) ?? null,
  })

/** Adds the status and the creator. */
export const completeRunners = async (ctx: Context, rows: readonly RunnerRow[]): Promise<Runner[]> =>
  rows.map(toRunner(ctx, await readCreators(ctx, rows)))

/** Runners by id. */
export const readRunnersById = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, Runner>> => {
  if (!ids.length) return new Map()
  const rows = await selectRunners(ctx)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map((await completeRunners(ctx, rows)).map((runner) => [runner.id, runner]))
}

const maxProjects = 100

const readProjects = async (ctx: Context, runnerId: number) => {
  const rows = await ctx.db
    .selectFrom('runnerProject')
    .where('runnerId', '=', runnerId)
    .orderBy('id')
    .limit(maxProjects)
    .select('projectId')
    .execute()
  const visible = await readForkSources(
    ctx,
    rows.map(({ projectId }) => projectId),
  )
  return rows.flatMap(({ projectId }) => visible.get(projectId) ?? [])
}

const readGroups = async ({ db }: Context, runnerId: number) =>
  db
    .selectFrom('runner')
    .innerJoin('namespace', 'namespace.id', 'runner.groupId')
    .where('runner.id', '=', runnerId)
    .select(['namespace.id', 'namespace.name', 'namespace.fullPath'])
    .execute()

/** The tags of a runner, by name. */
export const readTags = async ({ db }: Context, runnerId: number): Promise<string[]> =>
  (await db.selectFrom('runnerTag').where('runnerId', '=', runnerId).orderBy('name').select('name').execute()).map(
    ({ name }) => name,
  )

/** A runner with its settings, projects and groups. */
export const readRunner = async (ctx: Context, id: number): Promise<RunnerDetails> => {
  const row = await selectRunners(ctx)
    .where('id', '=', id)
    .select(['runUntagged', 'locked', 'accessLevel', 'maximumTimeout', 'maintenanceNote'])
    .select(['version', 'revision', 'platform', 'architecture'])
    .executeTakeFirstOrThrow()
  const [creators, tagList, projects, groups] = await awaitAll([
    readCreators(ctx, [row]),
    readTags(ctx, id),
    readProjects(ctx, id),
    readGroups(ctx, id),
  ])
  return { ...row, ...toRunner(ctx, creators)(row), tagList, projects, groups }
}
