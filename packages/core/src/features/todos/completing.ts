import type { Context } from '../../kernel/context.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { TodoRow } from './queries.ts'
import { epicTargets, issueTargets, mergeRequestTargets } from './targets.ts'
import type { EpicTarget, IssueTarget, MergeRequestTarget, Todo, TodoGroup, TodoProject } from './todo.ts'

const present = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))]

const projects = async (ctx: Context, given: readonly (number | null)[]): Promise<ReadonlyMap<number, TodoProject>> => {
  const ids = present(given)
  if (!ids.length) return new Map()
  const rows = await ctx.db
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespaceId')
    .where('project.id', 'in', ids)
    .select(['project.id', 'project.description', 'project.name', 'project.path'])
    .select(['project.fullPath as pathWithNamespace', 'project.createdAt', 'namespace.fullName as above'])
    .execute()
  return new Map(rows.map(({ above, ...row }) => [row.id, { ...row, nameWithNamespace: `${above} / ${row.name}` }]))
}

const groups = async (ctx: Context, given: readonly (number | null)[]): Promise<ReadonlyMap<number, TodoGroup>> => {
  const ids = present(given)
  if (!ids.length) return new Map()
  const rows = await ctx.db
    .selectFrom('namespace')
    .where('id', 'in', ids)
    .select(['id', 'name', 'path', 'fullPath'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const bodies = async (ctx: Context, given: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> => {
  const ids = present(given)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('note').where('id', 'in', ids).select(['id', 'body']).execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Todos with all that they speak of, as it is now, in a handful of queries however many there are. */
export async function completeTodos(ctx: Context, rows: readonly TodoRow[]): Promise<Todo[]> {
  const column = <C extends keyof TodoRow>(name: C) => rows.map((row) => row[name])
  const people = await userSummaries(ctx, column('authorId'))
  const inProjects = await projects(ctx, column('projectId'))
  const inGroups = await groups(ctx, column('groupId'))
  const notes = await bodies(ctx, column('noteId'))
  const issues = await issueTargets(ctx, column('issueId'))
  const mergeRequests = await mergeRequestTargets(ctx, column('mergeRequestId'))
  const epics = await epicTargets(ctx, column('epicId'))
  const targetOf = ({ issueId, mergeRequestId, epicId }: TodoRow) => {
    if (issueId !== null) return { targetType: 'Issue', target: issues.get(issueId) as IssueTarget } as const
    if (mergeRequestId !== null) {
      return { targetType: 'MergeRequest', target: mergeRequests.get(mergeRequestId) as MergeRequestTarget } as const
    }
    return { targetType: 'Epic', target: epics.get(epicId as number) as EpicTarget } as const
  }
  return rows.map((row) => {
    const on = targetOf(row)
    return {
      id: row.id,
      ...(row.projectId !== null && { project: inProjects.get(row.projectId) as TodoProject }),
      ...(row.groupId !== null && { group: inGroups.get(row.groupId) as TodoGroup }),
      author: people.get(row.authorId) as UserSummary,
      actionName: row.action,
      ...on,
      noteId: row.noteId,
      body: row.noteId === null ? on.target.title : (notes.get(row.noteId) ?? on.target.title),
      state: row.state,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
  })
}
