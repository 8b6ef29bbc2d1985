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
import { selectApprovalRules } from './approvals.ts'
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

const ApprovalRule = v.strictObject({
  ...Grant.entries,
  /** How many of these users must approve a deployment, 1 to 100. Default: 1. */
  requiredApprovals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 1),
})

type Grants = readonly v.InferOutput<typeof Grant>[]

const grantFields = ['userId', 'groupId', 'accessLevel'] as const

/** A grant and an approval rule have exactly one grantee. */
const exclusiveGrantFields =
  <Name extends 'deployAccessLevels' | 'approvalRules'>(name: Name): InputRule<{ readonly [N in Name]: Grants }> =>
  ({ [name]: grants }) => {
    const index = grants.findIndex((grant) => grantFields.filter((field) => grant[field] !== null).length > 1)
    if (index < 0) return undefined
    const fields = grantFields.filter((field) => grants[index]?.[field] !== null)
    return { fields: fields.map((field) => `${name}[${index}][${field}]`), message: 'are mutually exclusive' }
  }

const selectProtectedEnvironments = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('protectedEnvironment')
    .where('projectId', '=', projectId)
    .select(['id', 'name', 'requiredApprovalCount', 'updatedAt'])

type ProtectedEnvironmentRow = Awaited<
  ReturnType<ReturnType<typeof selectProtectedEnvironments>['executeTakeFirstOrThrow']>
>

/** The grants or rules of one protected environment. */
const partOf = <P extends { readonly protectedEnvironmentId: number }>(parts: readonly P[], id: number) =>
  parts.flatMap(({ protectedEnvironmentId, ...part }) => (protectedEnvironmentId === id ? [part] : []))

const toProtectedEnvironments = async (
  ctx: Context,
  rows: readonly ProtectedEnvironmentRow[],
): Promise<ProtectedEnvironment[]> => {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const levels = await toDeployAccessLevels(ctx, await selectGrants(ctx, ids).execute())
  const rules = await toDeployAccessLevels(ctx, await selectApprovalRules(ctx, ids).execute())
  return rows.map(({ id, name, requiredApprovalCount }) => ({
    name,
    deployAccessLevels: partOf(levels, id),
    requiredApprovalCount,
    approvalRules: partOf(rules, id),
  }))
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
   * Protects an environment: only administrators and users with a grant can deploy to it, and jobs that deploy to it wait for the
   * required approvals.
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
      /**
       * Approvals that a deployment requires from users who can deploy, 0 to 5. Has no effect with approval rules. Default: 0.
       */
      requiredApprovalCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(5)), 0),
      /** Approvals that a deployment requires from these users, at most 100 rules. Default: none. */
      approvalRules: v.optional(v.pipe(v.array(ApprovalRule), v.maxLength(100)), []),
    },
    rules: [exclusiveGrantFields('deployAccessLevels'), exclusiveGrantFields('approvalRules')],
    async run(
      ctx,
      { name, deployAccessLevels, requiredApprovalCount, approvalRules },
      subject,
    ): Promise<ProtectedEnvironment> {
      const { id: projectId } = subject.project
      assertValidName(name)
      const existing = await selectProtectedEnvironments(ctx, projectId).where('name', '=', name).executeTakeFirst()
      if (existing) throw conflict(`Protected environment '${name}' already exists`)
      const grants = await checkGrants(ctx, subject.project, deployAccessLevels, {
        name: 'Deploy access levels',
        minimum: 1,
      })
      const rules = await checkGrants(ctx, subject.project, approvalRules, { name: 'Approval rules', minimum: 0 })
      const [row] = await ctx.db
        .insertInto('protectedEnvironment')
        .values({
          projectId,
          name,
          requiredApprovalCount,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'protectedEnvironment'>)
        .returning(['id', 'name', 'requiredApprovalCount', 'updatedAt'])
        .execute()
      const { id: protectedEnvironmentId } = defined(row)
      await ctx.db
        .insertInto('deployAccessLevel')
        .values(
          grants.map((grant) => ({ protectedEnvironmentId, ...grant }) satisfies CompleteRow<'deployAccessLevel'>),
        )
        .execute()
      for (const rule of rules)
        await ctx.db
          .insertInto('deploymentApprovalRule')
          .values({ protectedEnvironmentId, ...rule } satisfies CompleteRow<'deploymentApprovalRule'>)
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
