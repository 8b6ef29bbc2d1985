import type { ApprovalRuleState, MergeRequestApprovals, MergeRequestDetails, Reviewer } from '@forgelet/core/operations'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { sectionName } from './code-owners.ts'
import { fileUrl } from './project-page.ts'
import { pipelineLink } from './status.ts'
import { day } from './time.ts'
import { userLink, userLinks } from './user.ts'

const mergeStatuses: Readonly<Record<MergeRequestDetails['detailedMergeStatus'], string | undefined>> = {
  mergeable: 'Can be merged',
  not_open: undefined,
  merge_time: 'Cannot be merged yet: it is too early',
  unchecked: 'Not checked yet',
  draft_status: 'Cannot be merged: it is a draft',
  commits_status: 'Cannot be merged: a branch is missing or has no new commits',
  discussions_not_resolved: 'Cannot be merged: discussions are not resolved',
  not_approved: 'Cannot be merged: approvals are missing',
  requested_changes: 'Cannot be merged: a reviewer has requested changes',
  title_regex: 'Cannot be merged: the title does not match the pattern of the project',
  ci_must_pass: 'Cannot be merged: the pipeline must succeed',
  ci_still_running: 'Cannot be merged: the pipeline still runs',
  conflict: 'Cannot be merged: the branches have conflicts',
  need_rebase: 'Cannot be merged: the source branch must be rebased',
}

const reviewerList = (ctx: PageContext, reviewers: readonly Reviewer[]): Html =>
  html`${reviewers.map(
    ({ user, state }, index) =>
      html`${index > 0 && ', '}${userLink(ctx, user)}${state !== 'unreviewed' && html` <span class="muted">(${state.replace('_', ' ')})</span>`}`,
  )}`

const approvalStatus = (ctx: PageContext, approvals: MergeRequestApprovals): HtmlValue => {
  const { approvedBy, approvalsRequired, approvalsLeft } = approvals
  if (approvedBy.length === 0 && approvalsRequired === 0) return undefined
  const users = approvedBy.map(({ user }) => user)
  const names = users.length > 0 ? html`Approved by ${userLinks(ctx, users)}` : 'Not approved'
  return html`${names}${approvalsRequired > 0 && html` <span class="muted">(${approvalsLeft} of ${approvalsRequired} missing)</span>`}`
}

/** The approvals of each rule: `Docs, *.md: 1 of 2`. */
const ruleList = (rules: readonly ApprovalRuleState[]): HtmlValue => {
  const required = rules.filter(({ approvalsRequired, ruleType }) => approvalsRequired > 0 || ruleType === 'code_owner')
  if (required.length === 0) return undefined
  return html`<ul class="rules">${required.map(
    ({ name, section, approvalsRequired, approvedBy }) =>
      html`<li>${[section && sectionName(section), name].filter(Boolean).join(', ')}: ${approvalsRequired === 0 ? 'optional' : `${Math.min(approvedBy.length, approvalsRequired)} of ${approvalsRequired}`}</li>`,
  )}</ul>`
}

const branchLink = (ctx: PageContext, project: string, ref: string): Html =>
  html`<a href="${fileUrl(ctx, project, { kind: 'tree', ref, path: '' })}"><code>${ref}</code></a>`

/** The branches; the source branch is a link while it is in the same project and exists. */
export const branchDirection = (
  ctx: PageContext,
  { projectPath, sourceBranch, targetBranch, fromFork, sha }: MergeRequestDetails,
): Html =>
  html`${fromFork || sha === null ? html`<code>${sourceBranch}</code>` : branchLink(ctx, projectPath, sourceBranch)}${fromFork && ' of a fork'} → ${branchLink(ctx, projectPath, targetBranch)}`

interface ReviewState {
  readonly reviewers: readonly Reviewer[]
  /** Undefined for visitors who cannot read them. */
  readonly approvals: MergeRequestApprovals | undefined
  readonly rules: readonly ApprovalRuleState[]
}

/** Details that only merge requests have. */
export const mergeRequestDetails = (
  ctx: PageContext,
  mergeRequest: MergeRequestDetails,
  { reviewers, approvals, rules }: ReviewState,
): Readonly<Record<string, HtmlValue>> => {
  const { headPipeline, mergedAt, mergedBy, detailedMergeStatus } = mergeRequest
  return {
    Reviewers: reviewers.length > 0 ? reviewerList(ctx, reviewers) : 'None',
    Approvals: approvals && approvalStatus(ctx, approvals),
    'Approval rules': ruleList(rules),
    Pipeline: headPipeline && pipelineLink(ctx, headPipeline),
    Merge: mergeStatuses[detailedMergeStatus],
    Merged: mergedAt !== null && html`${day(mergedAt)}${mergedBy && html` by ${userLink(ctx, mergedBy)}`}`,
  }
}
