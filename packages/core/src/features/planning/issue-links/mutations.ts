import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { issue } from '../issues/subject.ts'
import type { IssueLink, IssueLinkType } from './issue-link.ts'
import { toLink } from './queries.ts'

interface LinkTarget {
  readonly targetProject: number | string
  readonly targetIssue: number
  readonly linkType: IssueLinkType
}

/** @throws PlatformError as `issueLinks.create` */
export const createLink = async (
  ctx: Context,
  subject: Subjects['issue'],
  { targetProject, targetIssue, linkType }: LinkTarget,
): Promise<IssueLink> => {
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
}

/** @throws PlatformError `not_found` for a link of another issue, or to one that the current user cannot read */
export const removeLink = async (ctx: Context, subject: Subjects['issue'], issueLink: number): Promise<IssueLink> => {
  const link = await toLink(ctx, subject, issueLink)
  await assertRowUnmodified(ctx, 'issueLink', issueLink)
  await ctx.db.deleteFrom('issueLink').where('id', '=', issueLink).execute()
  return link
}
