import { isDeepStrictEqual } from 'node:util'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import type { GrantAction, ReferenceKind, ReferenceLevel } from './protected-reference.ts'

export interface StoredGrant {
  readonly id: number
  readonly action: GrantAction
  readonly accessLevel: ReferenceLevel | null
  readonly userId: number | null
  readonly groupId: number | null
  readonly deployKeyId: number | null
}

/** Of a grant to a role. */
export const noGrantee = { userId: null, groupId: null, deployKeyId: null } as const

/** A rule as stored, with its grants. */
export interface ReferenceRule {
  readonly id: number
  readonly kind: ReferenceKind
  readonly name: string
  readonly allowForcePush: boolean
  readonly codeOwnerApprovalRequired: boolean
  readonly grants: readonly StoredGrant[]
  /** The group of the rule; null for a rule of a project. Rules of groups replace those of their projects. */
  readonly groupId: number | null
  /** Counts only for names that no other rule covers. Never stored. */
  readonly isFallback?: true
}

export type NewGrant = Omit<StoredGrant, 'id'>

/** The project or group of rules; the other id is null. */
export interface RuleOwner {
  readonly projectId: number | null
  readonly groupId: number | null
}

export const ofProject = (projectId: number): RuleOwner => ({ projectId, groupId: null })

const columns = ['id', 'groupId', 'kind', 'name', 'allowForcePush', 'codeOwnerApprovalRequired'] as const

/** The rules of a project or group itself. */
export const selectRules = ({ db }: Context, { projectId, groupId }: RuleOwner) =>
  db
    .selectFrom('protectedReference')
    .where(projectId === null ? 'groupId' : 'projectId', '=', projectId ?? groupId)
    .select(columns)

/** The rules of a project, and those of the groups above it. */
export const selectEffectiveRules = ({ db }: Context, projectId: number) =>
  db
    .selectFrom('protectedReference')
    .where((eb) =>
      eb.or([
        eb('projectId', '=', projectId),
        eb(
          'groupId',
          'in',
          db
            .selectFrom('namespaceLineage')
            .innerJoin('project', 'project.namespaceId', 'namespaceLineage.namespaceId')
            .where('project.id', '=', projectId)
            .select('namespaceLineage.ancestorId'),
        ),
      ]),
    )
    .select(columns)

type RuleRow = Omit<ReferenceRule, 'grants'>

/** @throws PlatformError `invalid` for a blank name or more than 255 characters, `conflict` if the name is protected already */
export const assertNewName = async (
  ctx: Context,
  owner: RuleOwner,
  { kind, name }: Pick<ReferenceRule, 'kind' | 'name'>,
): Promise<void> => {
  if (name.trim() === '') throw invalid({ name: ["can't be blank"] })
  if (name.length > 255) throw invalid({ name: ['is too long (maximum is 255 characters)'] })
  if (await findRuleRow(ctx, owner, { kind, name })) throw conflict(`Protected ${kind} '${name}' already exists`)
}

export const findRuleRow = (
  ctx: Context,
  owner: RuleOwner,
  { kind, name }: Pick<ReferenceRule, 'kind' | 'name'>,
): Promise<RuleRow | undefined> =>
  selectRules(ctx, owner).where('kind', '=', kind).where('name', '=', name).executeTakeFirst()

/** @throws PlatformError `not_found` */
export const findRule = async (
  ctx: Context,
  owner: RuleOwner,
  key: Pick<ReferenceRule, 'kind' | 'name'>,
): Promise<ReferenceRule> => {
  const row = await findRuleRow(ctx, owner, key)
  if (!row) throw notFound()
  return defined((await withGrantsOf(ctx, [row]))[0])
}

/** Adds the grants, in the order of their creation. */
export const withGrantsOf = async ({ db }: Context, rows: readonly RuleRow[]): Promise<ReferenceRule[]> => {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const grants = await db
    .selectFrom('protectedReferenceGrant')
    .where('protectedReferenceId', 'in', ids)
    .orderBy('id')
    .select(['id', 'protectedReferenceId', 'action', 'accessLevel', 'userId', 'groupId', 'deployKeyId'])
    .execute()
  return rows.map((row) => ({
    ...row,
    grants: grants.filter((grant) => grant.protectedReferenceId === row.id).map(({ protectedReferenceId, ...g }) => g),
  }))
}

/** All rules of a project, with those of the groups above it. */
export const readRules = async (ctx: Context, projectId: number): Promise<readonly ReferenceRule[]> =>
  withGrantsOf(ctx, await selectEffectiveRules(ctx, projectId).orderBy('id').execute())

const insertGrants = async ({ db }: Context, ruleId: number, grants: readonly NewGrant[]): Promise<void> => {
  if (!grants.length) return
  const rows = grants.map((grant) => ({ ...grant, protectedReferenceId: ruleId }))
  await db
    .insertInto('protectedReferenceGrant')
    .values(rows satisfies CompleteRow<'protectedReferenceGrant'>[])
    .execute()
}

export const insertRule = async (
  ctx: Context,
  owner: RuleOwner,
  {
    grants,
    ...rule
  }: Omit<ReferenceRule, 'id' | 'grants' | 'groupId' | 'isFallback'> & { readonly grants: readonly NewGrant[] },
): Promise<number> => {
  const { id } = await ctx.db
    .insertInto('protectedReference')
    .values({ ...rule, ...owner, createdAt: ctx.now } satisfies CompleteRow<'protectedReference'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertGrants(ctx, id, grants)
  return id
}

const toGrantKey = ({ accessLevel, userId, groupId, deployKeyId }: NewGrant): string =>
  `${accessLevel} ${userId} ${groupId} ${deployKeyId}`

/** Replaces the grants of a rule for one action, unless it has exactly these. */
export const replaceGrants = async (
  ctx: Context,
  ruleId: number,
  action: GrantAction,
  grants: readonly NewGrant[],
): Promise<void> => {
  const present = await ctx.db
    .selectFrom('protectedReferenceGrant')
    .where('protectedReferenceId', '=', ruleId)
    .where('action', '=', action)
    .select(['action', 'accessLevel', 'userId', 'groupId', 'deployKeyId'])
    .execute()
  if (isDeepStrictEqual(present.map(toGrantKey).toSorted(), grants.map(toGrantKey).toSorted())) return
  await ctx.db
    .deleteFrom('protectedReferenceGrant')
    .where('protectedReferenceId', '=', ruleId)
    .where('action', '=', action)
    .execute()
  await insertGrants(ctx, ruleId, grants)
}

export const removeRule = async ({ db }: Context, id: number): Promise<void> => {
  await db.deleteFrom('protectedReference').where('id', '=', id).execute()
}
