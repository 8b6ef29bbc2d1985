import { expressionBuilder } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableIssues } from '../../../access/predicates.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { withSubscribed } from '../issuables/participants.ts'
import type { Issue } from '../issues/issue.ts'
import { completeIssues, issueColumns } from '../issues/queries.ts'
import type { EpicIssue } from './epic-issue.ts'

/** The issues of an epic that the current user can read. */
const selectEpicIssues = async (ctx: Context, epicId: number) => {
  const readable = readableIssues(await withGrants(ctx))
  return ctx.db
    .selectFrom('epicIssue')
    .innerJoin('issue', 'issue.id', 'epicIssue.issueId')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('epicIssue.epicId', '=', epicId)
    .where(readable(expressionBuilder()))
    .select(issueColumns)
    .select(['epicIssue.id as epicIssueId', 'epicIssue.relativePosition'])
}

/** A page of the issues of an epic that the current user can read, in their manual order. */
export async function listEpicIssues(ctx: Context, epicId: number, paging: PagingInput): Promise<Page<EpicIssue>> {
  const rows = (await selectEpicIssues(ctx, epicId)).orderBy('epicIssue.relativePosition').orderBy('epicIssue.id')
  const page = await paginate(rows, paging, (row) => row)
  const completed = await withSubscribed(ctx, 'issue', await completeIssues(ctx, page.items), getUserId(ctx.actor))
  return { ...page, items: page.items.map((row, at) => ({ ...defined(completed[at]), ...row })) }
}

/** @throws PlatformError `not_found` for a link of another epic, or an issue that the current user cannot read */
export async function getEpicIssue(ctx: Context, epicId: number, id: number): Promise<Issue> {
  const row = await (await selectEpicIssues(ctx, epicId)).where('epicIssue.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  const { epicIssueId: _id, relativePosition: _position, ...record } = row
  const [issue] = await completeIssues(ctx, [record])
  return defined(issue)
}

/**
 * An issue of a project of a group or its subgroups that the current user can read. @throws PlatformError `not_found` for another
 * one
 */
export async function getIssueOfGroup(ctx: Context, groupId: number, issueId: number): Promise<Issue> {
  const readable = readableIssues(await withGrants(ctx))
  const record = await ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .innerJoin('namespaceLineage as above', 'above.namespaceId', 'project.namespaceId')
    .where('issue.id', '=', issueId)
    .where('above.ancestorId', '=', groupId)
    .where(readable(expressionBuilder()))
    .select(issueColumns)
    .executeTakeFirst()
  if (!record) throw notFound()
  const [issue] = await completeIssues(ctx, [record])
  return defined(issue)
}
