import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { defined } from '../../../shared/defined.ts'
import { checkGrants, selectGrants, toDeployAccessLevels } from './deploy-access.ts'
import { deployLevels, type ProtectedEnvironment } from './protected-environment.ts'

const nameInput = {
  /** Name of the environment; case-sensitive. */
  name: v.string(),
}

const Grant = v.strictObject({
  /**
   * Who may deploy: 30 developers and above, 40 maintainers and above, 60 administrators only. Excludes `userId` and
   * `groupId`.
   */
  accessLevel: v.optional(v.nullable(v.picklist(deployLevels)), null),
  /** Id of a user who may deploy and has access to the project. Excludes `accessLevel` and `groupId`. */
  userId: v.optional(v.nullable(Id), null),
  /**
   * Id of a group whose developers and above may deploy; the project must be shared with it. Excludes `accessLevel` and
   * `userId`.
   */
  groupId: v.optional(v.nullable(Id), null),
})

type Grants = readonly v.InferOutput<typeof Grant>[]

const grantFields = ['userId', 'groupId', 'accessLevel'] as const

/** A grant has exactly one grantee. */
const exclusiveGrantFields: InputRule<{ deployAccessLevels: Grants }> = ({ deployAccessLevels }) => {
  const index = deployAccessLevels.findIndex((grant) => grantFields.filter((field) => grant[field] !== null).length > 1)
  if (index < 0) return undefined
  const fields = grantFields.filter((field) => deployAccessLevels[index]?.[field] !== null)
  return { fields: fields.map((field) => `deployAccessLevels[${index}][${field}]`), message: 'are mutually exclusive' }
}

const selectProtectedEnvironments = (ctx: Context, projectId: number) =>
  ctx.db.selectFrom('protectedEnvironment').where('projectId', '=', projectId).select(['id', 'name', 'updatedAt'])

type ProtectedEnvironmentRow = Awaited<
  ReturnType<ReturnType<typeof selectProtectedEnvironments>['executeTakeFirstOrThrow']>
>

const toProtectedEnvironments = async (
  ctx: Context,
  rows: readonly ProtectedEnvironmentRow[],
): Promise<ProtectedEnvironment[]> => {
  if (!rows.length) return []
  const grants = await selectGrants(
    ctx,
    rows.map(({ id }) => id),
  ).execute()
  const levels = new Map(rows.map(({ id }) => [id, [] as ProtectedEnvironment['deployAccessLevels'][number][]]))
  for (const { protectedEnvironmentId, ...level } of await toDeployAccessLevels(ctx, grants))
    levels.get(protectedEnvironmentId)?.push(level)
  return rows.map(({ id, name }) => ({ name, deployAccessLevels: levels.get(id) ?? [] }))
}

const findProtectedEnvironment = async (
  ctx: Context,
  projectId: number,
  name: string,
): Promise<ProtectedEnvironmentRow> => {
  const row = await selectProtectedEnvironments(ctx, projectId).where('name', '=', name).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const assertValidName = (name: string) => {
  if (name.trim() === '') throw invalid({ name: ["can't be blank"] })
  if (name.length > 255) throw invalid({ name: ['is too long (maximum is 255 characters)'] })
}

export const protectedEnvironments = {
  /** Lists the protected environments of a project, ordered by name. */
  list: query({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: pagingEntries,
    async run(ctx, paging, subject): Promise<Page<ProtectedEnvironment>> {
      const page = await paginate(
        selectProtectedEnvironments(ctx, subject.project.id).orderBy('name'),
        paging,
        (row) => row,
      )
      return { ...page, items: await toProtectedEnvironments(ctx, page.items) }
    },
  }),

  /** Gets a protected environment by name. */
  get: query({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: nameInput,
    async run(ctx, { name }, subject): Promise<ProtectedEnvironment> {
      const row = await findProtectedEnvironment(ctx, subject.project.id, name)
      return defined((await toProtectedEnvironments(ctx, [row]))[0])
    },
  }),

  /**
   * Protects an environment: only administrators and users with a grant can deploy to it.
   *
   * @throws PlatformError `conflict` if it is already protected; `unprocessable` without a grant, or for a user without
   * access to the project or a group that the project is not shared with
   */
  create: command({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: {
      /** Name of the environment, which need not exist yet: not blank, at most 255 characters; case-sensitive. */
      name: v.string(),
      /** Grants to deploy, 1 to 100. One of them is sufficient; duplicates are dropped. */
      deployAccessLevels: v.pipe(v.array(Grant), v.maxLength(100)),
    },
    rules: [exclusiveGrantFields],
    async run(ctx, { name, deployAccessLevels }, subject): Promise<ProtectedEnvironment> {
      const { id: projectId } = subject.project
      assertValidName(name)
      const existing = await selectProtectedEnvironments(ctx, projectId).where('name', '=', name).executeTakeFirst()
      if (existing) throw conflict(`Protected environment '${name}' already exists`)
      const grants = await checkGrants(ctx, subject.project, deployAccessLevels)
      const [row] = await ctx.db
        .insertInto('protectedEnvironment')
        .values({
          projectId,
          name,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'protectedEnvironment'>)
        .returning(['id', 'name', 'updatedAt'])
        .execute()
      const { id: protectedEnvironmentId } = defined(row)
      await ctx.db
        .insertInto('deployAccessLevel')
        .values(
          grants.map((grant) => ({ protectedEnvironmentId, ...grant }) satisfies CompleteRow<'deployAccessLevel'>),
        )
        .execute()
      return defined((await toProtectedEnvironments(ctx, [defined(row)]))[0])
    },
  }),

  /** Removes the protection of an environment. The environment remains. */
  remove: command({
    on: project,
    can: 'protectedEnvironment.manage',
    tier: 'paid',
    input: nameInput,
    async run(ctx, { name }, subject) {
      const { id, updatedAt } = await findProtectedEnvironment(ctx, subject.project.id, name)
      assertUnmodified(ctx, updatedAt)
      await ctx.db.deleteFrom('protectedEnvironment').where('id', '=', id).execute()
    },
  }),
}
