import { expressionBuilder } from 'kysely'
import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { readableIssues } from '../../../access/predicates.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { defined } from '../../../shared/defined.ts'
import type { Issue } from '../issues/issue.ts'
import { completeIssues, issueColumns } from '../issues/queries.ts'
import { issue } from '../issues/subject.ts'
import { type IssueLink, type IssueLinkType, issueLinkTypes, type LinkedIssue } from './issue-link.ts'

/** The links of an issue in both directions, with the other issue, if the current user can read it. */
const selectLinks = async (ctx: Context, issueId: number) => {
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
const toLinkType = (stored: 'relates_to' | 'blocks', isSource: boolean): IssueLinkType =>
  stored === 'relates_to' || isSource ? stored : 'is_blocked_by'

const findLink = async (ctx: Context, issueId: number, linkId: number) => {
  const row = await (await selectLinks(ctx, issueId)).where('issueLink.id', '=', linkId).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const toLink = async (ctx: Context, { issue: source }: Subjects['issue'], linkId: number): Promise<IssueLink> => {
  const {
    issueLinkId,
    sourceId,
    linkType,
    linkCreatedAt: _c,
    linkUpdatedAt: _u,
    ...target
  } = await findLink(ctx, source.id, linkId)
  const [sourceIssue, targetIssue] = (await completeIssues(ctx, [source, target])) as [Issue, Issue]
  return { id: issueLinkId, sourceIssue, targetIssue, linkType: toLinkType(linkType, sourceId === source.id) }
}

const linkInput = {
  /** Id of a link of the issue. */
  issueLink: Id,
}

/** Relations between issues. */
export const issueLinks = {
  /** Lists the issues that an issue is linked to and that the current user can read, oldest link first. */
  list: query({
    on: issue,
    can: 'issue.read',
    input: pagingEntries,
    async run(ctx, paging, { issue }): Promise<Page<LinkedIssue>> {
      const rows = (await selectLinks(ctx, issue.id)).orderBy('issueLink.id')
      const page = await paginate(rows, paging, (row) => row)
      const completed = await completeIssues(ctx, page.items)
      const items = page.items.map(({ sourceId, linkType, ...row }, at) => ({
        ...defined(completed[at]),
        ...row,
        linkType: toLinkType(linkType, sourceId === issue.id),
      }))
      return { ...page, items }
    },
  }),

  /** Gets a link of an issue. */
  get: query({
    on: issue,
    can: 'issue.read',
    input: linkInput,
    run: (ctx, { issueLink }, subject) => toLink(ctx, subject, issueLink),
  }),

  /**
   * Links an issue to another one, also of another project. Requires guest or above in both projects.
   *
   * @throws PlatformError `conflict` if the issues are linked already, `invalid` for a link to itself, `not_found` for an
   * invisible issue
   */
  create: command({
    on: issue,
    can: 'issueLink.manage',
    serializes: 'instance',
    input: {
      /** Id or full path of the project of the other issue. */
      targetProject: IdOrName,
      /** Number (iid) of the other issue in its project. */
      targetIssue: Id,
      /** `relates_to` (default); `blocks` or `is_blocked_by`, from the side of this issue. */
      linkType: v.optional(v.picklist(issueLinkTypes), 'relates_to'),
    },
    async run(ctx, { targetProject, targetIssue, linkType }, subject) {
      const target = await loadVisible(ctx, issue, { project: targetProject, issue: targetIssue })
      assertAbility(ctx.actor, target, 'issueLink.manage')
      const [id, otherId] = [subject.issue.id, target.issue.id]
      if (id === otherId) throw invalid('Issue cannot be linked to itself')
      const existing = await ctx.db
        .selectFrom('issueLink')
        .where('sourceId', 'in', [id, otherId])
        .where('targetId', 'in', [id, otherId])
        .select('id')
        .executeTakeFirst()
      if (existing) throw conflict('Issue(s) already assigned')
      const [sourceId, targetId] = linkType === 'is_blocked_by' ? [otherId, id] : [id, otherId]
      const row = await ctx.db
        .insertInto('issueLink')
        .values({
          sourceId,
          targetId,
          linkType: linkType === 'relates_to' ? 'relates_to' : 'blocks',
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'issueLink'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return toLink(ctx, subject, row.id)
    },
  }),

  /** Removes a link between two issues and returns it. */
  remove: command({
    on: issue,
    can: 'issueLink.manage',
    serializes: 'instance',
    input: linkInput,
    async run(ctx, { issueLink }, subject) {
      const link = await toLink(ctx, subject, issueLink)
      await assertRowUnmodified(ctx, 'issueLink', issueLink)
      await ctx.db.deleteFrom('issueLink').where('id', '=', issueLink).execute()
      return link
    },
  }),
}
