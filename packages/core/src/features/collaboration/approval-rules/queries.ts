import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'

const columns = [
  'id',
  'projectId',
  'mergeRequestId',
  'sourceRuleId',
  'name',
  'ruleType',
  'section',
  'approvalsRequired',
  'appliesToAllProtectedBranches',
] as const

export const selectRules = ({ db }: Context) => db.selectFrom('approvalRule').select(columns)

export type RuleRow = Awaited<ReturnType<ReturnType<typeof selectRules>['executeTakeFirstOrThrow']>>

/** The owner of rules: a project, or one of its merge requests. */
export interface RuleOwner {
  readonly projectId: number
  readonly mergeRequestId: number | null
}

export const toRuleOwner = (subject: Subjects['project' | 'mergeRequest']): RuleOwner => ({
  projectId: subject.project.id,
  mergeRequestId: subject.kind === 'project' ? null : subject.mergeRequest.id,
})

export const selectRulesOf = (ctx: Context, { projectId, mergeRequestId }: RuleOwner) =>
  selectRules(ctx)
    .where('projectId', '=', projectId)
    .where('mergeRequestId', mergeRequestId === null ? 'is' : '=', mergeRequestId)

/** @throws PlatformError `not_found` for a rule of another project or merge request */
export const getRule = async (ctx: Context, owner: RuleOwner, id: number): Promise<RuleRow> => {
  const row = await selectRulesOf(ctx, owner).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The id of the rule that has the users and groups: a rule that replaces one of the project has none of its own. */
export const toApproversId = ({ id, sourceRuleId }: RuleRow): number => sourceRuleId ?? id

export const selectRuleUsers = ({ db }: Context, ruleIds: readonly number[]) =>
  db.selectFrom('approvalRuleUser').where('ruleId', 'in', ruleIds).orderBy('userId').select(['ruleId', 'userId'])

export const selectRuleGroups = ({ db }: Context, ruleIds: readonly number[]) =>
  db.selectFrom('approvalRuleGroup').where('ruleId', 'in', ruleIds).orderBy('groupId').select(['ruleId', 'groupId'])

export const selectRuleBranches = ({ db }: Context, ruleIds: readonly number[]) =>
  db
    .selectFrom('approvalRuleBranch')
    .where('ruleId', 'in', ruleIds)
    .orderBy('protectedReferenceId')
    .select(['ruleId', 'protectedReferenceId'])
