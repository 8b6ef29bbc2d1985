import type { Context } from '../../kernel/context.ts'
import { insertRule, selectRules } from './queries.ts'
import { matchesName } from './reference-access.ts'

const forDevelopers = { accessLevel: 30, userId: null, groupId: null } as const

/**
 * Protects the default branch of a project after its first push, unless a rule covers it: developers may push and merge,
 * and no one may replace commits.
 */
export const protectDefaultBranch = async (ctx: Context, projectId: number, branch: string): Promise<void> => {
  const rules = await selectRules(ctx, projectId).where('kind', '=', 'branch').execute()
  if (rules.some(({ name }) => matchesName(name, branch))) return
  const grants = [
    { action: 'push', ...forDevelopers },
    { action: 'merge', ...forDevelopers },
  ] as const
  const rule = { kind: 'branch', name: branch, allowForcePush: false, codeOwnerApprovalRequired: false } as const
  await insertRule(ctx, projectId, { ...rule, grants })
}
