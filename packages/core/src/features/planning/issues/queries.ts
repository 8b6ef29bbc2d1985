import { getUserId } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { preparedQuery } from '../../../kernel/prepared-query.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { projectPaths } from '../../spaces/projects/queries.ts'
import { type IssuableRelations, loadRelations } from '../issuables/relations.ts'
import { milestonesById } from '../milestones/queries.ts'
import type { Issue, IssueRecord } from './issue.ts'
import { loadRelatedWork, noRelatedWork } from './related-work.ts'

export const issueColumns = [
  'issue.id',
  'issue.iid',
  'issue.projectId',
  'issue.authorId',
  'issue.title',
  'issue.description',
  'issue.state',
  'issue.issueType',
  'issue.confidential',
  'issue.discussionLocked',
  'issue.milestoneId',
  'issue.dueDate',
  'issue.weight',
  'issue.createdAt',
  'issue.updatedAt',
  'issue.closedAt',
  'issue.closedById',
  'issue.timeEstimate',
  'issue.totalTimeSpent',
  'issue.movedToId',
  'issue.healthStatus',
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

/** Finds an issue by its id, without a permission check. */
export const findIssueById = async (ctx: Context, id: number): Promise<IssueRecord | undefined> =>
  ctx.db.selectFrom('issue').where('id', '=', id).select(issueColumns).executeTakeFirst()

const issueOfReader = preparedQuery(
  (db, { projectId, iid, userId }: { projectId: number; iid: number; userId: number }) =>
    db
      .selectFrom('issue')
      .where('projectId', '=', projectId)
      .where('iid', '=', iid)
      .select(issueColumns)
      .select((eb) =>
        eb
          .exists(
            eb
              .selectFrom('issueAssignee')
              .whereRef('issueAssignee.issueId', '=', 'issue.id')
              .where('issueAssignee.userId', '=', userId)
              .select('issueAssignee.userId'),
          )
          .as('isAssignee'),
      ),
)

/** Finds an issue like `findIssue`, and whether it is assigned to the current user. */
export async function findIssueAndAssignment(
  ctx: Context,
  projectId: number,
  iid: number,
): Promise<{ readonly issue: IssueRecord; readonly isAssignee: boolean } | undefined> {
  const [row] = await issueOfReader(ctx, { projectId, iid, userId: getUserId(ctx.actor) })
  if (!row) return undefined
  const { isAssignee, ...issue } = row
  return { issue, isAssignee: Boolean(isAssignee) }
}

/**
 * Loads the relations of the issues. The number of queries does not depend on the number of issues.
 *
 * @param getRelations the relations of new issues, which no other work refers to
 */
export async function completeIssues(
  ctx: Context,
  records: readonly IssueRecord[],
  getRelations?: (id: number) => IssuableRelations,
): Promise<Issue[]> {
  const column = <C extends keyof IssueRecord>(name: C) => records.map((record) => record[name])
  const [relationsOf, workOf, users, milestones, paths] = await awaitAll([
    getRelations ?? loadRelations(ctx, 'issue', column('id')),
    getRelations ? () => noRelatedWork : loadRelatedWork(ctx, column('id')),
    userSummaries(ctx, [...column('authorId'), ...column('closedById')]),
    milestonesById(ctx, column('milestoneId')),
    projectPaths(ctx, column('projectId')),
  ])
  return records.map((record) => ({
    ...record,
    ...relationsOf(record.id),
    ...workOf(record.id),
    projectPath: defined(paths.get(record.projectId)),
    author: defined(users.get(record.authorId)),
    closedBy: record.closedById === null ? null : (users.get(record.closedById) ?? null),
    milestone: record.milestoneId === null ? null : (milestones.get(record.milestoneId) ?? null),
  }))
}
