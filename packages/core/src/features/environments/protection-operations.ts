import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { refuseModified } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound, PlatformError } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { deployLevels, type ProtectedEnvironment } from './protected-environment.ts'
import { described, grantable, grantsOf } from './protection.ts'

const Name = v.string()

const Grant = v.strictObject({
  accessLevel: v.optional(v.nullable(v.picklist(deployLevels)), null),
  userId: v.optional(v.nullable(Id), null),
  groupId: v.optional(v.nullable(Id), null),
})

type Grants = readonly v.InferOutput<typeof Grant>[]

const kinds = ['userId', 'groupId', 'accessLevel'] as const

/** One entry grants one thing. */
const oneEach: InputRule<{ deployAccessLevels: Grants }> = ({ deployAccessLevels }) => {
  const at = deployAccessLevels.findIndex((grant) => kinds.filter((kind) => grant[kind] !== null).length > 1)
  if (at < 0) return undefined
  const given = kinds.filter((kind) => deployAccessLevels[at]?.[kind] !== null)
  return { fields: given.map((kind) => `deployAccessLevels[${at}][${kind}]`), message: 'are mutually exclusive' }
}

const protectedIn = (ctx: Context, projectId: number) =>
  ctx.db.selectFrom('protectedEnvironment').where('projectId', '=', projectId).select(['id', 'name', 'updatedAt'])

type Row = Awaited<ReturnType<ReturnType<typeof protectedIn>['executeTakeFirstOrThrow']>>

const withGrants = async (ctx: Context, rows: readonly Row[]): Promise<ProtectedEnvironment[]> => {
  if (!rows.length) return []
  const grants = await grantsOf(
    ctx,
    rows.map(({ id }) => id),
  ).execute()
  const told = new Map(rows.map(({ id }) => [id, [] as ProtectedEnvironment['deployAccessLevels'][number][]]))
  for (const grant of grants) told.get(grant.protectedEnvironmentId)?.push(await described(ctx, grant))
  return rows.map(({ id, name }) => ({ name, deployAccessLevels: told.get(id) ?? [] }))
}

const findProtected = async (ctx: Context, projectId: number, name: string): Promise<Row> => {
  const row = await protectedIn(ctx, projectId).where('name', '=', name).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const refuseBadName = (name: string) => {
  if (name.trim() === '') throw invalid({ name: ["can't be blank"] })
  if (name.length > 255) throw invalid({ name: ['is too long (maximum is 255 characters)'] })
}

export const protectedEnvironments = {
  /** Protected environments of a project, by name. */
  list: query({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: paging,
    async run(ctx, at, subject) {
      const page = await paginate(protectedIn(ctx, subject.project.id).orderBy('name'), at, (row) => row)
      return { ...page, items: await withGrants(ctx, page.items) }
    },
  }),

  /** One protected environment, by name. */
  get: query({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: { name: Name },
    async run(ctx, { name }, subject): Promise<ProtectedEnvironment> {
      const row = await findProtected(ctx, subject.project.id, name)
      return (await withGrants(ctx, [row]))[0] as ProtectedEnvironment
    },
  }),

  /**
   * Lets only some deploy to the environment of a name, which need not exist yet. Users without access to the project and
   * groups that the project is not shared with are left out; when nobody remains it is refused (`unprocessable`).
   */
  create: command({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: { name: Name, deployAccessLevels: v.pipe(v.array(Grant), v.maxLength(100)) },
    rules: [oneEach],
    async run(ctx, { name, deployAccessLevels }, subject): Promise<ProtectedEnvironment> {
      const { id: projectId } = subject.project
      refuseBadName(name)
      const known = await protectedIn(ctx, projectId).where('name', '=', name).executeTakeFirst()
      if (known) throw conflict(`Protected environment '${name}' already exists`)
      const grants = await grantable(ctx, subject.project, deployAccessLevels)
      if (!grants.length) {
        throw new PlatformError('unprocessable', 'Deploy access levels is too short (minimum is 1 character)')
      }
      const [row] = await ctx.db
        .insertInto('protectedEnvironment')
        .values({ projectId, name, createdAt: ctx.now, updatedAt: ctx.now })
        .returning(['id', 'name', 'updatedAt'])
        .execute()
      const { id: protectedEnvironmentId } = row as Row
      await ctx.db
        .insertInto('deployAccessLevel')
        .values(grants.map((grant) => ({ protectedEnvironmentId, ...grant })))
        .execute()
      return (await withGrants(ctx, [row as Row]))[0] as ProtectedEnvironment
    },
  }),

  /** Lets everybody deploy again who may deploy to other environments. */
  remove: command({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: { name: Name },
    async run(ctx, { name }, subject) {
      const { id, updatedAt } = await findProtected(ctx, subject.project.id, name)
      refuseModified(ctx, updatedAt)
      await ctx.db.deleteFrom('protectedEnvironment').where('id', '=', id).execute()
    },
  }),
}
