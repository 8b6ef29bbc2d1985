import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { remembered } from '../../kernel/prepared.ts'
import { after, type Soon } from '../../kernel/store.ts'
import type { Project } from './project.ts'

export const projectColumns = [
  'project.id',
  'project.namespaceId',
  'project.creatorId',
  'project.name',
  'project.path',
  'project.fullPath',
  'project.description',
  'project.visibility',
  'project.archived',
  'project.defaultBranch',
  'project.requestAccessEnabled',
  'project.issuesAccessLevel',
  'project.mergeRequestsAccessLevel',
  'project.repositoryAccessLevel',
  'project.snippetsAccessLevel',
  'project.avatarUrl',
  'project.createdAt',
  'project.updatedAt',
  'project.lastActivityAt',
] as const

const projectById = remembered((db, { id }: { id: number }) =>
  db.selectFrom('project').where('id', '=', id).select(projectColumns),
)

const projectByPath = remembered((db, { path }: { path: string }) =>
  db.selectFrom('project').where(lower('fullPath'), '=', path).select(projectColumns),
)

/** A project by id or full path, whoever asks. What is found is shared with all who ask: not to be handed out as it is. */
export function findProject(ctx: Context, ref: number | string): Soon<Project | undefined> {
  const found =
    typeof ref === 'number' ? projectById(ctx, { id: ref }) : projectByPath(ctx, { path: ref.toLowerCase() })
  return after(found, ([row]) => row)
}

/** Full paths of the projects with these ids. */
export async function projectPaths(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const distinct = [...new Set(ids)]
  if (!distinct.length) return new Map()
  const rows = await ctx.db.selectFrom('project').where('id', 'in', distinct).select(['id', 'fullPath']).execute()
  return new Map(rows.map(({ id, fullPath }) => [id, fullPath]))
}
