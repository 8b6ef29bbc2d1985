import { expressionBuilder } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableIssues } from '../../../access/predicates.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { withSubscribed } from '../issuables/participants.ts'
import { completeIssues, issueColumns } from '../issues/queries.ts'
import type { IssueLink, IssueLinkType } from './issue-link.ts'

/** The links of an issue in both directions, with the other issue, if the current user can read it. */
export const selectLinks = async (ctx: Context, issueId: number) => {
  const readable = readableIssues(await withGrants(ctx))
  return ctx.db
    .selectFrom('issueLink')
    .innerJoin('issue', (join) =>
      join.on((eb) =>
        eb.or([
          eb.and([eb('issueLink.sourceId', '=', issueId), eb('issue.id', '=', eb.ref('issueLink.targetId'))]),
          eb.and([eb('issueLink.targetId', '=', issueId), eb('issue.id', '=', eb.ref('issueLink.sourceId'))]),
        ]),
      ),
    )
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where(readable(expressionBuilder()))
    .select(issueColumns)
    .select(['issueLink.id as issueLinkId', 'issueLink.sourceId', 'issueLink.linkType'])
    .select(['issueLink.createdAt as linkCreatedAt', 'issueLink.updatedAt as linkUpdatedAt'])
}

/** A link is stored from the issue that blocks. */
export const toLinkType = (stored: 'relates_to' | 'blocks', isSource: boolean): IssueLinkType =>
  stored === 'relates_to' || isSource ? stored : 'is_blocked_by'

const findLink = async (ctx: Context, issueId: number, linkId: number) => {
  const row = await (await selectLinks(ctx, issueId)).where('issueLink.id', '=', linkId).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export const toLink = async (
  ctx: Context,
  { issue: source }: Subjects['issue'],
  linkId: number,
): Promise<IssueLink> => {
  const {
    issueLinkId,
    sourceId,
    linkType,
    linkCreatedAt: _c,
    linkUpdatedAt: _u,
    ...target
  } = await findLink(ctx, source.id, linkId)
  const issues = await completeIssues(ctx, [source, target])
  const [sourceIssue, targetIssue] = await withSubscribed(ctx, 'issue', issues, getUserId(ctx.actor))
  return {
    id: issueLinkId,
    sourceIssue: defined(sourceIssue),
    targetIssue: defined(targetIssue),
    linkType: toLinkType(linkType, sourceId === source.id),
  }
}
