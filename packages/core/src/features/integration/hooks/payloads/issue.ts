import type { Project } from '../../../../contract/project.ts'
import { toTimeStats } from '../../../collaboration/time-tracking/time-stats.ts'
import type { Issue } from '../../../planning/issues/issue.ts'
import type { HookPayload } from '../delivery.ts'
import { withAbsoluteImages } from './absolute-images.ts'
import { compareCreated, compareIssuables, compareLabels, compareStates, toStateId } from './changes.ts'
import { buildEnvelope, buildUser, type PayloadContext, toProjectUrl } from './common.ts'
import { buildLabels } from './labels.ts'

/** What happened to an issue. `before` is set for `update`. */
interface IssueEvent {
  readonly action: 'open' | 'update' | 'close' | 'reopen'
  readonly issue: Issue
  readonly before?: Issue
}

/** An issue in payloads, without its labels. */
export const buildIssueAttributes = (site: string, project: Project, issue: Issue): HookPayload => ({
  id: issue.id,
  title: issue.title,
  assignee_ids: issue.assignees.map(({ id }) => id),
  assignee_id: issue.assignees[0]?.id ?? null,
  author_id: issue.authorId,
  project_id: issue.projectId,
  created_at: issue.createdAt,
  updated_at: issue.updatedAt,
  closed_at: issue.closedAt,
  updated_by_id: null,
  last_edited_at: null,
  last_edited_by_id: null,
  position: 0,
  relative_position: null,
  branch_name: null,
  description: withAbsoluteImages(site, project, issue.description),
  milestone_id: issue.milestoneId,
  state_id: toStateId(issue.state),
  confidential: issue.confidential,
  discussion_locked: issue.discussionLocked,
  due_date: issue.dueDate,
  moved_to_id: issue.movedToId,
  duplicated_to_id: null,
  time_estimate: issue.timeEstimate,
  total_time_spent: issue.totalTimeSpent,
  time_change: 0,
  human_total_time_spent: toTimeStats(issue).humanTotalTimeSpent,
  human_time_estimate: toTimeStats(issue).humanTimeEstimate,
  human_time_change: null,
  weight: issue.weight,
  iid: issue.iid,
  url: `${toProjectUrl(site, project)}/-/issues/${issue.iid}`,
  state: issue.state,
  severity: 'unknown',
})

const compare = (site: string, { action, issue, before }: IssueEvent): HookPayload => {
  if (action === 'close') return compareStates('opened', 'closed')
  if (action === 'reopen') return compareStates('closed', 'opened')
  if (action === 'open') return compareCreated(site, issue)
  return before ? compareIssuables(site, before, issue) : {}
}

/** A new, changed, closed or reopened issue. */
export const buildIssueEvent = async (
  payload: PayloadContext,
  project: Project,
  event: IssueEvent,
): Promise<HookPayload> => {
  const { issue, before = issue, action } = event
  const previousLabels = action === 'open' ? [] : before.labels
  const [labels = [], previous = []] = await buildLabels(payload.ctx, project, issue.labels, previousLabels)
  const assignees = issue.assignees.map(buildUser(payload.site))
  return {
    object_kind: 'issue',
    event_type: issue.confidential ? 'confidential_issue' : 'issue',
    ...(await buildEnvelope(payload, project, issue.authorId)),
    object_attributes: { ...buildIssueAttributes(payload.site, project, issue), labels, action },
    labels,
    changes: { ...compare(payload.site, event), ...compareLabels(previous, labels) },
    ...(assignees.length && { assignees, assignee: assignees[0] }),
  }
}
