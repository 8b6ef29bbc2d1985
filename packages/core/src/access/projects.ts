import type { Project } from '../contract/project.ts'
import { lower } from '../db/functions.ts'
import type { Context } from '../kernel/context.ts'
import { cachedQuery } from '../kernel/prepared-query.ts'
import { chain, type MaybePromise } from '../kernel/store.ts'

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
  'project.markedForDeletionOn',
  'project.defaultBranch',
  'project.requestAccessEnabled',
  'project.issuesAccessLevel',
  'project.mergeRequestsAccessLevel',
  'project.repositoryAccessLevel',
  'project.snippetsAccessLevel',
  'project.pipelineReaders',
  'project.restrictedFeatures',
  'project.avatarUrl',
  'project.importerId',
  'project.createdAt',
  'project.updatedAt',
  'project.lastActivityAt',
] as const

const projectById = cachedQuery((db, { id }: { id: number }) =>
  db.selectFrom('project').where('id', '=', id).select(projectColumns),
)

const projectByPath = cachedQuery((db, { path }: { path: string }) =>
  db.selectFrom('project').where(lower('fullPath'), '=', path).select(projectColumns),
)

/**
 * A project by id or full path, without a permission check. The row may come from the cache: return copies of it to callers.
 */
export function findProject(ctx: Context, ref: number | string): MaybePromise<Project | undefined> {
  const rows = typeof ref === 'number' ? projectById(ctx, { id: ref }) : projectByPath(ctx, { path: ref.toLowerCase() })
  return chain(rows, ([row]) => row)
}
