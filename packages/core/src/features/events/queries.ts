import type { Context } from '../../kernel/context.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Note } from '../notes/note.ts'
import { notesById } from '../notes/queries.ts'
import { actionName, type Event } from './event.ts'

/** Events with their projects, which say who may see them. */
export const eventRows = (db: Context['db']) =>
  db.selectFrom('event').innerJoin('project', 'project.id', 'event.projectId')

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

const selected = (ctx: Context) => eventRows(ctx.db).select(eventColumns)
export type EventRow = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>

interface Named {
  readonly title: string
  /** Null for what is found by its id. */
  readonly iid: number | null
}

type Table = 'issue' | 'mergeRequest' | 'milestone' | 'snippet'

/** What things are called now. */
const namesOf = async (
  ctx: Context,
  table: Table,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Named>> => {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows =
    table === 'snippet'
      ? await ctx.db.selectFrom(table).where('id', 'in', distinct).select(['id', 'title']).execute()
      : await ctx.db.selectFrom(table).where('id', 'in', distinct).select(['id', 'title', 'iid']).execute()
  return new Map(rows.map((row) => [row.id, { title: row.title, iid: 'iid' in row ? (row.iid as number) : null }]))
}

const types = {
  issue: 'Issue',
  mergeRequest: 'MergeRequest',
  milestone: 'Milestone',
  note: 'Note',
  project: 'Project',
} as const

type Target = Pick<Event, 'targetId' | 'targetIid' | 'targetType' | 'targetTitle'>

const noTarget: Target = { targetId: null, targetIid: null, targetType: null, targetTitle: null }

const targetOf = (row: EventRow, named: Named | undefined): Target => {
  const { targetKind } = row
  if (targetKind === null) return noTarget
  if (targetKind === 'project') {
    const { projectId, projectName } = row
    return { targetId: projectId, targetIid: projectId, targetType: types.project, targetTitle: projectName }
  }
  const targetId = row[`${targetKind}Id`] as number
  const number = targetKind === 'note' ? null : named?.iid
  return { targetId, targetIid: number ?? targetId, targetType: types[targetKind], targetTitle: named?.title ?? null }
}

/** Events with their authors, and with their targets as these are now, in a handful of queries however many there are. */
export async function completeEvents(ctx: Context, rows: readonly EventRow[]): Promise<Event[]> {
  const column = <C extends keyof EventRow>(name: C) => rows.map((row) => row[name])
  const people = await userSummaries(ctx, column('authorId'))
  const notes = await notesById(ctx, column('noteId'))
  const issues = await namesOf(ctx, 'issue', column('issueId'))
  const mergeRequests = await namesOf(ctx, 'mergeRequest', column('mergeRequestId'))
  const milestones = await namesOf(ctx, 'milestone', column('milestoneId'))
  const snippets = await namesOf(ctx, 'snippet', column('snippetId'))
  const named = ({ issueId, mergeRequestId, milestoneId, snippetId }: EventRow) =>
    issues.get(issueId ?? 0) ??
    mergeRequests.get(mergeRequestId ?? 0) ??
    milestones.get(milestoneId ?? 0) ??
    snippets.get(snippetId ?? 0)
  return rows.map((row) => ({
    id: row.id,
    projectId: row.projectId,
    actionName: actionName(row),
    ...targetOf(row, named(row)),
    authorId: row.authorId,
    author: people.get(row.authorId) as UserSummary,
    createdAt: row.createdAt,
    ...(row.noteId !== null && { note: notes.get(row.noteId) as Note }),
    ...(row.push !== null && { pushData: row.push }),
  }))
}
