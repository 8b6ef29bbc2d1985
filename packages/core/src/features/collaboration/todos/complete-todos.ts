import { withGrants } from '../../../access/grants.ts'
import { readableNotes } from '../../../access/predicates.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { ProjectNamespace } from '../../spaces/projects/project-record.ts'
import type { TodoRow } from './queries.ts'
import { distinctIds, readEpicTargets, readIssueTargets, readMergeRequestTargets } from './target-details.ts'
import { accessRequested, type Todo, type TodoProject } from './todo.ts'

const readProjects = async (
  ctx: Context,
  projectIds: readonly (number | null)[],
): Promise<ReadonlyMap<number, TodoProject>> => {
  const ids = distinctIds(projectIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespaceId')
    .where('project.id', 'in', ids)
    .select(['project.id', 'project.description', 'project.name', 'project.path'])
    .select(['project.fullPath as pathWithNamespace', 'project.createdAt', 'namespace.fullName as namespaceName'])
    .execute()
  return new Map(
    rows.map(({ namespaceName, ...row }) => [row.id, { ...row, nameWithNamespace: `${namespaceName} / ${row.name}` }]),
  )
}

const readGroups = async (
  ctx: Context,
  groupIds: readonly (number | null)[],
): Promise<ReadonlyMap<number, ProjectNamespace>> => {
  const ids = distinctIds(groupIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db
    .selectFrom('namespace')
    .where('id', 'in', ids)
    .select(['id', 'name', 'path', 'kind', 'fullPath', 'parentId', 'avatarUrl'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The texts of the notes that the current user can read. */
const readNoteBodies = async (
  ctx: Context,
  noteIds: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> => {
  const ids = distinctIds(noteIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db
    .selectFrom('note')
    .where('id', 'in', ids)
    .where(readableNotes(await withGrants(ctx)))
    .select(['id', 'body'])
    .execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

const describe = ({ target }: Pick<Todo, 'target'>): string => {
  if ('title' in target) return target.title
  return 'fullPath' in target ? target.fullPath : target.pathWithNamespace
}

/**
 * Adds the current author, container, target and note text, with a constant number of queries. Omits to-dos whose target was
 * removed since `rows` were read.
 */
export async function completeTodos(ctx: Context, rows: readonly TodoRow[]): Promise<Todo[]> {
  const column = <C extends keyof TodoRow>(name: C) => rows.map((row) => row[name])
  const [authors, projects, groups, notes, issues, mergeRequests, epics] = await awaitAll([
    userSummaries(ctx, column('authorId')),
    readProjects(ctx, column('projectId')),
    readGroups(ctx, column('groupId')),
    readNoteBodies(ctx, column('noteId')),
    readIssueTargets(ctx, column('issueId')),
    readMergeRequestTargets(ctx, column('mergeRequestId')),
    readEpicTargets(ctx, column('epicId')),
  ])
  const targetOf = ({ issueId, mergeRequestId, epicId, action, projectId, groupId }: TodoRow) => {
    if (action === accessRequested)
      return projectId === null
        ? ({ targetType: 'Namespace', target: defined(groups.get(groupId ?? 0)) } as const)
        : ({ targetType: 'Project', target: defined(projects.get(projectId)) } as const)
    const issue = issues.get(issueId ?? 0)
    if (issue) return { targetType: 'Issue', target: issue } as const
    const mergeRequest = mergeRequests.get(mergeRequestId ?? 0)
    if (mergeRequest) return { targetType: 'MergeRequest', target: mergeRequest } as const
    const epic = epics.get(epicId ?? 0)
    return epic && ({ targetType: 'Epic', target: epic } as const)
  }
  return rows.flatMap((row) => {
    const typedTarget = targetOf(row)
    if (!typedTarget) return []
    const body = notes.get(row.noteId ?? 0)
    return {
      id: row.id,
      ...(row.projectId !== null && { project: defined(projects.get(row.projectId)) }),
      ...(row.groupId !== null && { group: defined(groups.get(row.groupId)) }),
      author: defined(authors.get(row.authorId)),
      actionName: row.action,
      ...typedTarget,
      noteId: body === undefined ? null : row.noteId,
      body: body ?? describe(typedTarget),
      state: row.state,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
  })
}
