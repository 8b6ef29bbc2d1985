import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { DateOnly } from '../../kernel/inputs.ts'
import { may, type Subjects } from '../../policy.ts'
import { attach, milestoneId, refuseBadTitle, triage, triageChange } from '../issuables/inputs.ts'
import { lifecycle } from '../issuables/lifecycle.ts'
import type { Issue, IssueRecord } from './issue.ts'
import { completeIssues, findIssue } from './queries.ts'

/** What everybody may say of their own issue. */
export const details = {
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))),
  dueDate: v.optional(v.nullable(DateOnly)),
}

/** What only those who triage may say of a new issue. */
export const triageFields = {
  ...triage,
  confidential: v.optional(v.boolean()),
  discussionLocked: v.optional(v.boolean()),
}

const changeFields = { ...triageFields, ...triageChange }

/** What can be changed about an issue. */
export const issueChange = {
  title: v.optional(v.string()),
  stateEvent: v.optional(v.picklist(['close', 'reopen'])),
  ...details,
  ...changeFields,
}

const IssueChange = v.object(issueChange)

/** Refuses fields of triage from those who do not triage. */
export const refuseTriage = (ctx: Context, input: object, subject: Subjects['project'] | Subjects['issue']): void => {
  const given = Object.keys(changeFields).some((name) => (input as Record<string, unknown>)[name] !== undefined)
  if (!given || may<'project' | 'issue'>(ctx.actor, subject, 'issue.triage')) return
  throw forbidden('Only reporters and above set labels, assignees, milestone, confidentiality and the lock')
}

type Ref = Pick<IssueRecord, 'projectId' | 'iid'>

/** Reads an issue again; closes and opens it. */
export const { reload, setState } = lifecycle<Ref, IssueRecord, Issue>({
  table: 'issue',
  ends: ['closed'],
  find: (ctx, { projectId, iid }) => findIssue(ctx, projectId, iid),
  complete: completeIssues,
  tell: (ctx, issue, state) => ctx.emit(state === 'closed' ? 'issue.closed' : 'issue.reopened', { issue }),
})

/**
 * Changes an issue that the caller may change.
 *
 * @throws PlatformError `forbidden` for fields of triage from those who do not triage, `invalid` for a title that cannot be
 */
export const changeIssue = async (
  ctx: Context,
  { stateEvent, ...fields }: v.InferOutput<typeof IssueChange>,
  subject: Subjects['issue'],
): Promise<Issue> => {
  const { labels, addLabels, removeLabels, assignees, milestone, ...change } = fields
  refuseTriage(ctx, fields, subject)
  const moved = async () =>
    stateEvent ? setState(ctx, subject.issue, stateEvent === 'close' ? 'closed' : 'opened') : undefined
  if (Object.values(fields).every((value) => value === undefined)) return (await moved()) as Issue
  refuseBadTitle(change.title)
  const before = await reload(ctx, subject.issue)
  await ctx.db
    .updateTable('issue')
    .set({ ...change, milestoneId: await milestoneId(ctx, subject, milestone), updatedAt: ctx.now })
    .where('id', '=', subject.issue.id)
    .execute()
  await attach(ctx, 'issue', subject.issue.id, subject, { labels, addLabels, removeLabels, assignees })
  const after = await reload(ctx, subject.issue)
  await ctx.emit('issue.updated', { before, after })
  return (await moved()) ?? after
}
