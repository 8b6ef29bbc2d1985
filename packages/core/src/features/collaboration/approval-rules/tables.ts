import type { Generated } from 'kysely'
import type { ApprovalRuleType } from './approval-rule.ts'

export interface ApprovalRuleTables {
  /** A number of approvals that merge requests of a project, or a single one, require. */
  approvalRule: {
    id: Generated<number>
    projectId: number
    /** Null for a rule of the project. */
    mergeRequestId: number | null
    /** The rule of the project that requires more approvals in this merge request; null for other rules. */
    sourceRuleId: number | null
    name: string
    ruleType: ApprovalRuleType
    /** The section of the file of code owners; null for other rules. */
    section: string | null
    approvalsRequired: number
    /** Whether a rule of a project is for protected target branches only. */
    appliesToAllProtectedBranches: boolean
    createdAt: string
    updatedAt: string
  }
  approvalRuleUser: { ruleId: number; userId: number }
  approvalRuleGroup: { ruleId: number; groupId: number }
  /** The protected branches that a rule of a project is for; without any, it is for all branches. */
  approvalRuleBranch: { ruleId: number; protectedReferenceId: number }
}
