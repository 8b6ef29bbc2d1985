import { project as projectSubject } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { nextInternalId } from '../../../kernel/internal-id.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { replaceAssignees, replaceLabels } from '../issuables/relations.ts'
import { findLabelIdByName, toLabelScope } from '../labels/queries.ts'
import type { Issue, IssueRecord } from './issue.ts'
import { insertIssue, reload, setState } from './mutations.ts'
import { completeIssues } from './queries.ts'

/** The milestone with the same title that is available in a project; null for none. */
const findEqualMilestoneId = async (ctx: Context, { project }: Subjects['project'], title: string | undefined) => {
  if (title === undefined) return null
  const ancestors = ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', project.namespaceId)
    .select('ancestorId')
  const row = await ctx.db
    .selectFrom('milestone')
    .where('title', '=', title)
    .where((eb) => eb.or([eb('projectId', '=', project.id), eb('groupId', 'in', ancestors)]))
    .select('id')
    .executeTakeFirst()
  return row?.id ?? null
}

type Origin = Pick<IssueRecord, 'authorId' | 'createdAt' | 'timeEstimate' | 'totalTimeSpent'>

const insertCopy = async (
  ctx: Context,
  target: Subjects['project'],
  source: Issue,
  { authorId, createdAt, timeEstimate, totalTimeSpent }: Origin,
): Promise<IssueRecord> => {
  const values = {
    iid: await nextInternalId(ctx, 'issue', target.project.id),
    projectId: target.project.id,
    authorId,
    title: source.title,
    description: source.description,
    state: 'opened',
    issueType: source.issueType,
    confidential: source.confidential,
    discussionLocked: source.discussionLocked,
    milestoneId: await findEqualMilestoneId(ctx, target, source.milestone?.title),
    dueDate: source.dueDate,
    weight: source.weight,
    healthStatus: source.healthStatus,
    createdAt,
    updatedAt: ctx.now,
    closedAt: null,
    closedById: null,
    timeEstimate,
    totalTimeSpent,
    movedToId: null,
  } as const satisfies Omit<IssueRecord, 'id'>
  return insertIssue(ctx, values)
}

/** Copies the comments and system notes. Replies become individual notes, because a discussion belongs to one issue. */
const copyNotes = async (ctx: Context, sourceId: number, targetId: number): Promise<void> => {
  const notes = await ctx.db
    .selectFrom('note')
    .where('issueId', '=', sourceId)
    .orderBy('id')
    .select(['authorId', 'body', 'system', 'internal', 'createdAt', 'updatedAt'])
    .execute()
  for (const note of notes) {
    const keys = { issueId: targetId, mergeRequestId: null, snippetId: null, epicId: null }
    await ctx.db
      .insertInto('note')
      .values({ ...keys, ...note, type: null } satisfies CompleteRow<'note'>)
      .execute()
  }
}

const copyRelations = async (ctx: Context, target: Subjects['project'], source: Issue, copy: IssueRecord) => {
  const labelIds: number[] = []
  for (const name of source.labels) {
    const labelId = await findLabelIdByName(ctx, toLabelScope(target), name)
    if (labelId !== undefined) labelIds.push(labelId)
  }
  await replaceLabels(ctx, 'issue', copy.id, labelIds)
  await replaceAssignees(
    ctx,
    'issue',
    copy.id,
    source.assignees.map(({ id }) => id),
  )
}

const assertMayCopy = (ctx: Context, target: Subjects['project']) => {
  assertAbility(ctx.actor, target, 'issue.create')
  assertAbility(ctx.actor, target, 'issue.triage')
}

/** Creates a copy of the issue in another project and closes the issue. */
export const moveIssue = async (
  ctx: Context,
  { issue: record }: Subjects['issue'],
  toProject: number | string,
): Promise<Issue> => {
  const target = await loadVisible(ctx, projectSubject, { project: toProject })
  if (target.project.id === record.projectId) throw invalid('Cannot move issue to project it originates from!')
  if (record.movedToId !== null) throw invalid('Cannot move issue that was moved before!')
  assertMayCopy(ctx, target)
  const [source] = (await completeIssues(ctx, [record])) as [Issue]
  const copy = await insertCopy(ctx, target, source, source)
  await copyNotes(ctx, record.id, copy.id)
  await copyRelations(ctx, target, source, copy)
  await ctx.db.updateTable('issue').set({ movedToId: copy.id }).where('id', '=', record.id).execute()
  await setState(ctx, record, 'closed')
  const issue = await reload(ctx, copy)
  await ctx.emit('issue.opened', { issue })
  return issue
}

/** Creates a copy of the issue by the current user, in the same or another project. The issue stays as it is. */
export const cloneIssue = async (
  ctx: Context,
  { issue: record }: Subjects['issue'],
  { toProject, withNotes }: { readonly toProject: number | string; readonly withNotes: boolean },
): Promise<Issue> => {
  const target = await loadVisible(ctx, projectSubject, { project: toProject })
  assertMayCopy(ctx, target)
  const [source] = (await completeIssues(ctx, [record])) as [Issue]
  const authorId = ctx.actor.kind === 'user' ? ctx.actor.id : source.authorId
  const origin = { authorId, createdAt: ctx.now, timeEstimate: 0, totalTimeSpent: 0 }
  const copy = await insertCopy(ctx, target, source, origin)
  if (withNotes) await copyNotes(ctx, record.id, copy.id)
  await copyRelations(ctx, target, source, copy)
  const issue = await reload(ctx, copy)
  await ctx.emit('issue.opened', { issue })
  return issue
}
