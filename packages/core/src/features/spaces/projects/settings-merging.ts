import * as v from 'valibot'
import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { Count, SettingTemplate, SettingText } from './settings-types.ts'

/** How merge requests of a project are reviewed and merged. */
export const mergingSettings = {
  /** Whether merging requires a successful pipeline of the merge request. */
  onlyAllowMergeIfPipelineSucceeds: v.boolean(),
  /** Whether a skipped pipeline counts as successful for `onlyAllowMergeIfPipelineSucceeds`. */
  allowMergeOnSkippedPipeline: v.boolean(),
  /** Whether merging requires all discussions of the merge request to be resolved. */
  onlyAllowMergeIfAllDiscussionsAreResolved: v.boolean(),
  /** Whether merging requires all external status checks to pass. Stored only: the platform has no external status checks. */
  onlyAllowMergeIfAllStatusChecksPassed: v.boolean(),
  /** Whether merging requires an issue of Jira. Stored only: the platform is not connected to Jira. */
  preventMergeWithoutJiraIssue: v.boolean(),
  /** Regular expression in RE2 syntax that titles of merge requests must match to be merged; null for none. */
  mergeRequestTitleRegex: v.pipe(
    SettingTemplate,
    v.check((text) => text === null || 'pattern' in compileNamePattern(text), 'is an invalid regexp'),
  ),
  /** Explanation of `mergeRequestTitleRegex` for people; null for none. Stored only: clients show it. */
  mergeRequestTitleRegexDescription: SettingTemplate,
  /** Whether pipelines of merge requests run on the merged result. Stored only: they run on the source branch. */
  mergePipelinesEnabled: v.boolean(),
  /** Whether the project uses merge trains. Stored only: the platform has none. */
  mergeTrainsEnabled: v.boolean(),
  /** Whether a merge can skip the merge train. Stored only: the platform has none. */
  mergeTrainsSkipTrainAllowed: v.boolean(),
  /** Whether the merge of a new merge request removes the source branch, unless it says otherwise; null for no. */
  removeSourceBranchAfterMerge: v.nullable(v.boolean()),
  /** Whether a push prints a link to open a merge request. Stored only: pushes print no links. */
  printingMergeRequestLinkEnabled: v.boolean(),
  /** Whether merge requests of a fork are proposed to itself and not to its source. Stored only: clients name the target. */
  mrDefaultTargetSelf: v.boolean(),
  /**
   * `merge`: a merge commit. `rebase_merge`: a merge commit, if the source branch contains the target branch. `ff`: no
   * merge commit; the target branch moves to the source branch, which must contain it.
   */
  mergeMethod: v.picklist(['merge', 'rebase_merge', 'ff']),
  /**
   * Whether a merge combines the commits of the source branch: `never`, `always`, or as the merge request says, with
   * `default_on` or `default_off` as the default of new merge requests.
   */
  squashOption: v.picklist(['never', 'always', 'default_on', 'default_off']),
  /** Template of the messages of merge commits, with variables such as `%{title}`; null for the default. */
  mergeCommitTemplate: SettingTemplate,
  /** Template of the messages of squash commits, with variables such as `%{title}`; null for the default. */
  squashCommitTemplate: SettingTemplate,
  /** Number of approvals that a merge requires. */
  approvalsBeforeMerge: Count,
  /** Whether a push to the source branch of a merge request removes its approvals. */
  resetApprovalsOnPush: v.boolean(),
  /** Whether merge requests cannot have approval rules of their own. */
  disableOverridingApproversPerMergeRequest: v.boolean(),
  /** Whether authors can approve their own merge requests. */
  mergeRequestsAuthorApproval: v.boolean(),
  /** Whether users with commits in a merge request cannot approve it. */
  mergeRequestsDisableCommittersApproval: v.boolean(),
  /** Whether approvals require the password of the user. */
  requirePasswordToApprove: v.boolean(),
  /** Whether a push resolves discussions on lines that it changes. */
  resolveOutdatedDiffDiscussions: v.boolean(),
  /** Template for the commit message of applied suggestions, with variables such as `%{file_paths}`; null for the default. */
  suggestionCommitMessage: SettingText,
  /** Text that clients propose for the description of new merge requests; null for none. Stored only. */
  mergeRequestsTemplate: SettingText,
  /** Whether a merge into the default branch closes the issues that the merge request or its commits name. */
  autocloseReferencedIssues: v.boolean(),
  /** Whether commits that are written through the API are signed. Stored only: they are not. */
  webBasedCommitSigningEnabled: v.boolean(),
  /** Whether an assistant reviews new merge requests. Stored only: the platform has none. */
  autoDuoCodeReviewEnabled: v.boolean(),
  /** Whether flows of an assistant can run in the project. Stored only: the platform has none. */
  duoRemoteFlowsEnabled: v.boolean(),
}

const MergingSettingsSchema = v.object(mergingSettings)

export const mergingDefaults: v.InferOutput<typeof MergingSettingsSchema> = {
  onlyAllowMergeIfPipelineSucceeds: false,
  allowMergeOnSkippedPipeline: false,
  onlyAllowMergeIfAllDiscussionsAreResolved: false,
  onlyAllowMergeIfAllStatusChecksPassed: false,
  preventMergeWithoutJiraIssue: false,
  mergeRequestTitleRegex: null,
  mergeRequestTitleRegexDescription: null,
  mergePipelinesEnabled: false,
  mergeTrainsEnabled: false,
  mergeTrainsSkipTrainAllowed: false,
  removeSourceBranchAfterMerge: null,
  printingMergeRequestLinkEnabled: true,
  mrDefaultTargetSelf: false,
  mergeMethod: 'merge',
  squashOption: 'default_off',
  mergeCommitTemplate: null,
  squashCommitTemplate: null,
  approvalsBeforeMerge: 0,
  resetApprovalsOnPush: false,
  disableOverridingApproversPerMergeRequest: false,
  mergeRequestsAuthorApproval: true,
  mergeRequestsDisableCommittersApproval: false,
  requirePasswordToApprove: false,
  resolveOutdatedDiffDiscussions: false,
  suggestionCommitMessage: null,
  mergeRequestsTemplate: null,
  autocloseReferencedIssues: true,
  webBasedCommitSigningEnabled: false,
  autoDuoCodeReviewEnabled: false,
  duoRemoteFlowsEnabled: false,
}
