import type { Context } from '../../kernel/context.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import { attachments } from '../issuables/attachments.ts'
import { milestonesById } from '../milestones/queries.ts'
import { projectPaths } from '../projects/queries.ts'
import type { Issue, IssueRecord } from './issue.ts'

export const issueColumns = [
  'issue.id',
  'issue.iid',
  'issue.projectId',
  'issue.authorId',
  'issue.title',
  'issue.description',
  'issue.state',
  'issue.confidential',
  'issue.discussionLocked',
  'issue.milestoneId',
  'issue.dueDate',
  'issue.createdAt',
  'issue.updatedAt',
  'issue.closedAt',
  'issue.closedById',
] as const

/** An issue of a project by its iid, whoever asks. */
export async function findIssue(ctx: Context, projectId: number, iid: number): Promise<IssueRecord | undefined> {
  const row = await ctx.db
    .selectFrom('issue')
    .where('projectId', '=', projectId)
    .where('iid', '=', iid)
    .select(issueColumns)
    .executeTakeFirst()
  return row
}

/** Issues with everything that hangs on them, in a handful of queries however many there are. */
export async function completeIssues(ctx: Context, records: readonly IssueRecord[]): Promise<Issue[]> {
  const attached = await attachments(
    ctx,
    'issue',
    records.map(({ id }) => id),
  )
  const people = await userSummaries(
    ctx,
    records.flatMap(({ authorId, closedById }) => [authorId, closedById]),
  )
  const milestones = await milestonesById(
    ctx,
    records.map((record) => record.milestoneId),
  )
  const paths = await projectPaths(
    ctx,
    records.map(({ projectId }) => projectId),
  )
  return records.map((record) => ({
    ...record,
    ...attached(record.id),
    projectPath: paths.get(record.projectId) as string,
    author: people.get(record.authorId) as UserSummary,
    closedBy: record.closedById === null ? null : (people.get(record.closedById) ?? null),
    milestone: record.milestoneId === null ? null : (milestones.get(record.milestoneId) ?? null),
  }))
}
