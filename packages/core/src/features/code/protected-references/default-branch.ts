import type { Context } from '../../../kernel/context.ts'
import { type BranchProtection, isUnprotected } from '../../accounts/namespaces/branch-protection.ts'
import { resolveGroupSettings } from '../../accounts/namespaces/settings.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { ReferenceLevel } from './protected-reference.ts'
import { insertRule, noGrantee, ofProject, type ReferenceRule, selectEffectiveRules } from './queries.ts'
import { matchesName } from './reference-names.ts'

/** The rule of new default branches in a namespace: by the settings of the group, or else of the instance; null for none. */
const readDefaultRule = async (ctx: Context, namespaceId: number): Promise<BranchProtection | null> => {
  const row = await ctx.db.selectFrom('namespace').where('id', '=', namespaceId).select('settings').executeTakeFirst()
  const { defaultBranchProtection } = await getSettings(ctx)
  const settings = resolveGroupSettings(row?.settings ?? null, { defaultBranchProtection })
  const rule = settings.defaultBranchProtectionDefaults
  return isUnprotected(rule) ? null : rule
}

const grantOf = (action: 'push' | 'merge', accessLevel: ReferenceLevel) =>
  ({ action, accessLevel, ...noGrantee }) as const

const listGrants = (action: 'push' | 'merge', levels: BranchProtection['allowedToPush']) =>
  levels.map(({ accessLevel }) => grantOf(action, accessLevel))

const optionsOf = ({ allowForcePush, codeOwnerApprovalRequired }: BranchProtection) =>
  ({ kind: 'branch', allowForcePush, codeOwnerApprovalRequired }) as const

/** Protects the first default branch of a project as the settings of its group and instance require, unless a rule covers it. */
export const protectDefaultBranch = async (
  ctx: Context,
  { id, namespaceId }: { readonly id: number; readonly namespaceId: number },
  branch: string,
): Promise<void> => {
  const rule = await readDefaultRule(ctx, namespaceId)
  if (rule === null) return
  const rules = await selectEffectiveRules(ctx, id).where('kind', '=', 'branch').execute()
  if (rules.some(({ name }) => matchesName(name, branch))) return
  const grants = [...listGrants('push', rule.allowedToPush), ...listGrants('merge', rule.allowedToMerge)]
  await insertRule(ctx, ofProject(id), { ...optionsOf(rule), name: branch, grants })
}

/**
 * The rules of a project without branches, and one for the branches that none of them covers: the first push creates the default
 * branch, so it needs the permission that the settings will require.
 */
export const addInitialRule = async (
  ctx: Context,
  { id, namespaceId }: { readonly id: number; readonly namespaceId: number },
  rules: readonly ReferenceRule[],
): Promise<readonly ReferenceRule[]> => {
  const project = await ctx.db.selectFrom('project').where('id', '=', id).select('emptyRepo').executeTakeFirst()
  if (!project?.emptyRepo) return rules
  const rule = await readDefaultRule(ctx, namespaceId)
  if (rule === null) return rules
  const allowed = rule.developerCanInitialPush ? [grantOf('push', 30)] : listGrants('push', rule.allowedToPush)
  const grants = allowed.map((grant) => ({ id: 0, ...grant }))
  return [...rules, { ...optionsOf(rule), id: 0, groupId: null, name: '*', grants, isFallback: true }]
}
