import { readableIssues } from '../../../../access/predicates.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { IssueRecord } from '../../../planning/issues/issue.ts'
import { issueColumns } from '../../../planning/issues/queries.ts'
import type { MergeRequestRecord } from '../merge-request.ts'
import { findClosedIssues, type IssueReference } from './closing-pattern.ts'

/** The issues that a merge request closes, according to its title, its description and the messages of its commits. */
export const findIssuesClosedBy = (
  { title, description }: Pick<MergeRequestRecord, 'title' | 'description'>,
  commitMessages: readonly string[],
): readonly IssueReference[] => findClosedIssues([title, description ?? '', ...commitMessages].join('\n'))

/** The referenced issue, whoever can read it. */
export const selectReferencedIssue = (ctx: Context, ownPath: string, { projectPath, iid }: IssueReference) =>
  ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('project.fullPath', '=', projectPath ?? ownPath)
    .where('issue.iid', '=', iid)

/** The referenced issues that the current user can read, in order of reference. */
export const findReadableIssues = async (
  ctx: Context,
  ownPath: string,
  references: readonly IssueReference[],
): Promise<IssueRecord[]> => {
  const records: IssueRecord[] = []
  for (const reference of references) {
    const row = await selectReferencedIssue(ctx, ownPath, reference)
      .where(readableIssues(ctx))
      .select(issueColumns)
      .executeTakeFirst()
    if (row) records.push(row)
  }
  return records
}
