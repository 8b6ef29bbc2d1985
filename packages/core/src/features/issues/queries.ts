import type { Context } from '../../kernel/context.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import { loadRelations } from '../issuables/relations.ts'
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

/** Finds an issue by project and iid, without a permission check. */
export async function findIssue(ctx: Context, projectId: number, iid: number): Promise<IssueRecord | undefined> {
  return ctx.db
    .selectFrom('issue')
    .where('projectId', '=', projectId)
    .where('iid', '=', iid)
    .select(issueColumns)
    .executeTakeFirst()
}

/** Loads the relations of the issues. The number of queries does not depend on the number of issues. */
export async function completeIssues(ctx: Context, records: readonly IssueRecord[]): Promise<Issue[]> {
  const getRelations = await loadRelations(
    ctx,
    'issue',
    records.map(({ id }) => id),
  )
  const users = await userSummaries(
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
    ...getRelations(record.id),
    projectPath: paths.get(record.projectId) as string,
    author: users.get(record.authorId) as UserSummary,
    closedBy: record.closedById === null ? null : (users.get(record.closedById) ?? null),
    milestone: record.milestoneId === null ? null : (milestones.get(record.milestoneId) ?? null),
  }))
}
