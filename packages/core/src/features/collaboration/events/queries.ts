import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { projectPaths } from '../../spaces/projects/queries.ts'
import { notesById } from '../notes/queries.ts'
import { type Event, toActionName } from './event.ts'

/** Joins what the read permission depends on. */
export const selectFromEvents = (db: Context['db']) =>
  db
    .selectFrom('event')
    .innerJoin('project', 'project.id', 'event.projectId')
    .leftJoin('issue', 'issue.id', 'event.issueId')
    .leftJoin('snippet', 'snippet.id', 'event.snippetId')

export const eventColumns = [
  'event.id',
  'event.projectId',
  'event.authorId',
  'event.action',
  'event.targetKind',
  'event.issueId',
  'event.mergeRequestId',
  'event.milestoneId',
  'event.snippetId',
  'event.noteId',
  'event.push',
  'event.createdAt',
  'project.name as projectName',
] as const

const selectEventRows = (ctx: Context) => selectFromEvents(ctx.db).select(eventColumns)
export type EventRow = Awaited<ReturnType<ReturnType<typeof selectEventRows>['executeTakeFirstOrThrow']>>

interface TargetName {
  readonly title: string
  /** Null for snippets, which have no iid. */
  readonly iid: number | null
}

type TargetTable = 'issue' | 'mergeRequest' | 'milestone' | 'snippet'

/** Loads the current titles and iids. */
const loadTargetNames = async (
  ctx: Context,
  table: TargetTable,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, TargetName>> => {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows =
    table === 'snippet'
      ? await ctx.db.selectFrom(table).where('id', 'in', distinct).select(['id', 'title']).execute()
      : await ctx.db.selectFrom(table).where('id', 'in', distinct).select(['id', 'title', 'iid']).execute()
  return new Map(rows.map((row) => [row.id, { title: row.title, iid: 'iid' in row ? (row.iid as number) : null }]))
}

const targetTypes = {
  issue: 'Issue',
  mergeRequest: 'MergeRequest',
  milestone: 'Milestone',
  note: 'Note',
  project: 'Project',
} as const

type Target = Pick<Event, 'targetId' | 'targetIid' | 'targetType' | 'targetTitle'>

const noTarget: Target = { targetId: null, targetIid: null, targetType: null, targetTitle: null }

const toTarget = (row: EventRow, name: TargetName | undefined): Target => {
  const { targetKind } = row
  if (targetKind === null) return noTarget
  if (targetKind === 'project') {
    const { projectId, projectName } = row
    return { targetId: projectId, targetIid: projectId, targetType: targetTypes.project, targetTitle: projectName }
  }
  const targetId = defined(row[`${targetKind}Id`])
  const iid = targetKind === 'note' ? null : name?.iid
  return {
    targetId,
    targetIid: iid ?? targetId,
    targetType: targetTypes[targetKind],
    targetTitle: name?.title ?? null,
  }
}

/** Loads authors, notes and targets of the events. The number of queries does not depend on the number of events. */
export async function completeEvents(ctx: Context, rows: readonly EventRow[]): Promise<Event[]> {
  const column = <C extends keyof EventRow>(name: C) => rows.map((row) => row[name])
  const [users, paths, notes, issues, mergeRequests, milestones, snippets] = await awaitAll([
    userSummaries(ctx, column('authorId')),
    projectPaths(ctx, column('projectId')),
    notesById(ctx, column('noteId')),
    loadTargetNames(ctx, 'issue', column('issueId')),
    loadTargetNames(ctx, 'mergeRequest', column('mergeRequestId')),
    loadTargetNames(ctx, 'milestone', column('milestoneId')),
    loadTargetNames(ctx, 'snippet', column('snippetId')),
  ])
  const findTargetName = ({ issueId, mergeRequestId, milestoneId, snippetId }: EventRow) =>
    issues.get(issueId ?? 0) ??
    mergeRequests.get(mergeRequestId ?? 0) ??
    milestones.get(milestoneId ?? 0) ??
    snippets.get(snippetId ?? 0)
  return rows.map((row) => ({
    id: row.id,
    projectId: row.projectId,
    projectPath: defined(paths.get(row.projectId)),
    actionName: toActionName(row),
    ...toTarget(row, findTargetName(row)),
    authorId: row.authorId,
    author: defined(users.get(row.authorId)),
    createdAt: row.createdAt,
    ...(row.noteId !== null && { note: defined(notes.get(row.noteId)) }),
    ...(row.push !== null && { pushData: { ...row.push, refCount: row.push.refCount ?? null } }),
  }))
}
