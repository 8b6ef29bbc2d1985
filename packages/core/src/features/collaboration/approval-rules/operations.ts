import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { atLeastOne, Id, mutuallyExclusive } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { projectOrMergeRequest } from '../merge-requests/subject.ts'
import { type ApprovalConfiguration, type ApprovalRule, approvalRuleTypes } from './approval-rule.ts'
import { approversInput } from './approvers.ts'
import { completeProjectRules } from './complete.ts'
import { readConfiguration, updateConfiguration } from './configuration.ts'
import {
  assertMayOverride,
  assertOwnRule,
  completeMergeRequestRules,
  createMergeRequestRule,
  updateMergeRequestRule,
} from './merge-request-rules.ts'
import { ApprovalCount, removeRule } from './mutations.ts'
import { createProjectRule, updateProjectRule } from './project-rules.ts'
import { getRule, type RuleRow, selectRulesOf, toRuleOwner } from './queries.ts'

const ruleInput = {
  /** Id of an approval rule of the project, or of the merge request if the input names one. */
  rule: Id,
}

const branchInput = {
  /**
   * Whether the rule is for merge requests into protected branches only. Takes precedence over `protectedBranchIds`. Only for rules of
   * projects.
   */
  appliesToAllProtectedBranches: v.optional(v.boolean()),
  /** Ids of the protected branches that the rule is for, at most 100. An empty list means all branches. Only for rules of projects. */
  protectedBranchIds: v.optional(v.pipe(v.array(Id), v.maxLength(100))),
}

type Reference = Readonly<Record<string, unknown>>

/** Rules of merge requests are for one target branch. */
const branchRules = [
  mutuallyExclusive<Reference>('mergeRequest', 'appliesToAllProtectedBranches'),
  mutuallyExclusive<Reference>('mergeRequest', 'protectedBranchIds'),
]

type Owner = Subjects['project' | 'mergeRequest']

const completeRules = (ctx: Context, subject: Owner, rows: readonly RuleRow[]): Promise<ApprovalRule[]> =>
  subject.kind === 'project' ? completeProjectRules(ctx, rows) : completeMergeRequestRules(ctx, rows)

/** Required approvals of all merge requests of a project, or of a single one, which add to those of its project. */
export const approvalRules = {
  /** Lists the approval rules of a project, or those that a merge request has in addition to them, oldest first. */
  list: query({
    on: projectOrMergeRequest,
    can: 'approvalRule.read',
    tier: 'paid',
    input: pagingEntries,
    async run(ctx, paging, subject): Promise<Page<ApprovalRule>> {
      const page = await paginate(selectRulesOf(ctx, toRuleOwner(subject)).orderBy('id'), paging, (row) => row)
      return { ...page, items: await completeRules(ctx, subject, page.items) }
    },
  }),

  /** Gets an approval rule of a project or of a merge request. */
  get: query({
    on: projectOrMergeRequest,
    can: 'approvalRule.read',
    tier: 'paid',
    input: ruleInput,
    async run(ctx, { rule }, subject): Promise<ApprovalRule> {
      const row = await getRule(ctx, toRuleOwner(subject), rule)
      return defined((await completeRules(ctx, subject, [row]))[0])
    },
  }),

  /**
   * Creates an approval rule of a project or of a merge request, each of which can have 100 of them, or requires more approvals in a merge
   * request than a rule of its project. Merge requests cannot be merged until their rules have the required approvals.
   *
   * @throws PlatformError `invalid` for a name that exists, a second rule for any approvers, a regular rule without users
   * and groups, fewer approvals than the project requires, a user without access to the project, or an unknown group or branch;
   * `forbidden` if the project does not permit rules of merge requests
   */
  create: command({
    on: projectOrMergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      /** Not blank, at most 255 characters, unique in the project or merge request. That of the project's rule if one is given. */
      name: v.string(),
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: ApprovalCount,
      /** Whose approvals count. Default: `regular` with users or groups, else `any_approver`. Only for rules of projects. */
      ruleType: v.optional(v.picklist(approvalRuleTypes)),
      ...approversInput,
      ...branchInput,
      /** Id of a rule of the project that requires more approvals in the merge request. Its users and groups apply. */
      approvalProjectRuleId: v.optional(v.nullable(Id)),
    },
    rules: [
      ...branchRules,
      mutuallyExclusive<Reference>('mergeRequest', 'ruleType'),
      ({ mergeRequest, approvalProjectRuleId }: Reference) =>
        mergeRequest === undefined && approvalProjectRuleId != null
          ? { fields: ['approvalProjectRuleId'], message: 'requires mergeRequest' }
          : undefined,
    ],
    run: (ctx, input, subject): Promise<ApprovalRule> =>
      subject.kind === 'project' ? createProjectRule(ctx, subject, input) : createMergeRequestRule(ctx, subject, input),
  }),

  /**
   * Changes an approval rule of a project or of a merge request. Each given list replaces the whole list. Only the number of approvals of
   * a rule that replaces one of the project can be changed.
   *
   * @throws PlatformError as `create`
   */
  update: command({
    on: projectOrMergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      ...ruleInput,
      /** Not blank, at most 255 characters, unique in the project or merge request. */
      name: v.optional(v.string()),
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: v.optional(ApprovalCount),
      ...approversInput,
      /** Whether to remove the groups that the current user cannot see. Default: they stay. */
      removeHiddenGroups: v.optional(v.boolean(), false),
      ...branchInput,
    },
    rules: branchRules,
    run: (ctx, input, subject): Promise<ApprovalRule> =>
      subject.kind === 'project' ? updateProjectRule(ctx, subject, input) : updateMergeRequestRule(ctx, subject, input),
  }),

  /**
   * Removes an approval rule of a project, also where merge requests require more approvals; or of a merge request, where those of the
   * project remain.
   */
  remove: command({
    on: projectOrMergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: ruleInput,
    async run(ctx, { rule }, subject) {
      if (subject.kind === 'mergeRequest') await assertMayOverride(ctx, subject)
      const row = await getRule(ctx, toRuleOwner(subject), rule)
      assertOwnRule(row)
      await removeRule(ctx, row)
    },
  }),

  /** Gets the settings of a project about approvals. */
  getConfiguration: query({
    on: project,
    can: 'approvalRule.read',
    tier: 'paid',
    run: (ctx, _input, { project }): Promise<ApprovalConfiguration> => readConfiguration(ctx, project.id),
  }),

  /** Changes the settings of a project about approvals. At least one is required. */
  updateConfiguration: command({
    on: project,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      /** Number of approvals by any users that a merge requires, 0 to 100. */
      approvalsBeforeMerge: v.optional(ApprovalCount),
      /** Whether a push to the source branch removes the approvals. */
      resetApprovalsOnPush: v.optional(v.boolean()),
      /** Whether merge requests cannot have rules of their own. Existing ones stay. */
      disableOverridingApproversPerMergeRequest: v.optional(v.boolean()),
      /** Whether authors can approve their own merge requests. */
      mergeRequestsAuthorApproval: v.optional(v.boolean()),
      /** Whether users with commits in a merge request cannot approve it. */
      mergeRequestsDisableCommittersApproval: v.optional(v.boolean()),
      /** Whether approvals require the password of the user. */
      requirePasswordToApprove: v.optional(v.boolean()),
    },
    rules: [
      atLeastOne(
        'approvalsBeforeMerge',
        'resetApprovalsOnPush',
        'disableOverridingApproversPerMergeRequest',
        'mergeRequestsAuthorApproval',
        'mergeRequestsDisableCommittersApproval',
        'requirePasswordToApprove',
      ),
    ],
    run: (ctx, input, { project }): Promise<ApprovalConfiguration> => updateConfiguration(ctx, project.id, input),
  }),
}
