import type { Context } from '../../../kernel/context.ts'
import { type GroupSettings, resolveGroupSettings } from '../../accounts/namespaces/settings.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { ReferenceLevel } from './protected-reference.ts'
import { insertRule, ofProject, type ReferenceRule, selectEffectiveRules } from './queries.ts'
import { matchesName } from './reference-names.ts'

interface DefaultRule {
  readonly push: ReferenceLevel
  readonly merge: ReferenceLevel
  /** The role that may push to a project without branches. */
  readonly initialPush: ReferenceLevel
}

/** The rule of a new default branch by the setting `defaultBranchProtection`; null for none. No rule permits forced pushes. */
const defaultRules: Readonly<Record<GroupSettings['defaultBranchProtection'], DefaultRule | null>> = {
  0: null,
  1: { push: 30, merge: 30, initialPush: 30 },
  2: { push: 40, merge: 40, initialPush: 40 },
  3: { push: 40, merge: 30, initialPush: 40 },
  4: { push: 40, merge: 40, initialPush: 30 },
}

/** The rule of new default branches in a namespace: by the setting of the group, or else of the instance. */
const readDefaultRule = async (ctx: Context, namespaceId: number): Promise<DefaultRule | null> => {
  const row = await ctx.db.selectFrom('namespace').where('id', '=', namespaceId).select('settings').executeTakeFirst()
  const { defaultBranchProtection } = await getSettings(ctx)
  return defaultRules[resolveGroupSettings(row?.settings ?? null, { defaultBranchProtection }).defaultBranchProtection]
}

const grantOf = (action: 'push' | 'merge', accessLevel: ReferenceLevel) =>
  ({ action, accessLevel, userId: null, groupId: null }) as const

const options = { kind: 'branch', allowForcePush: false, codeOwnerApprovalRequired: false } as const

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
  const grants = [grantOf('push', rule.push), grantOf('merge', rule.merge)]
  await insertRule(ctx, ofProject(id), { ...options, name: branch, grants })
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
  const grants = [{ id: 0, ...grantOf('push', rule.initialPush) }]
  return [...rules, { ...options, id: 0, groupId: null, name: '*', grants, isFallback: true }]
}
