import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { type Snippet, type SnippetRecord, unnamedFile } from './snippet.ts'

export const snippetColumns = [
  'snippet.id',
  'snippet.projectId',
  'snippet.authorId',
  'snippet.title',
  'snippet.fileName',
  'snippet.description',
  'snippet.visibility',
  'snippet.createdAt',
  'snippet.updatedAt',
] as const

/** A snippet by its id, without a visibility check. */
export const findSnippet = (ctx: Context, id: number): Promise<SnippetRecord | undefined> =>
  ctx.db.selectFrom('snippet').where('id', '=', id).select(snippetColumns).executeTakeFirst()

/** Snippets left-joined with their projects; personal snippets have none. */
export const snippetRows = (ctx: Context) =>
  ctx.db.selectFrom('snippet').leftJoin('project', 'project.id', 'snippet.projectId')

const projectPaths = async (ctx: Context, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> => {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows = await ctx.db.selectFrom('project').where('id', 'in', distinct).select(['id', 'fullPath']).execute()
  return new Map(rows.map(({ id, fullPath }) => [id, fullPath]))
}

/** Paths of the files after the first one, by the id of the snippet. */
const otherFilePaths = async (
  ctx: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> => {
  if (!ids.length) return new Map()
  const rows = ctx.db.selectFrom('snippetFile').where('snippetId', 'in', ids).orderBy('id')
  const files = Map.groupBy(await rows.select(['snippetId', 'path']).execute(), ({ snippetId }) => snippetId)
  return new Map([...files].map(([id, rows]) => [id, rows.map(({ path }) => path)]))
}

/** Adds authors, project paths and file paths with three queries, independent of the number of snippets. */
export async function completeSnippets(ctx: Context, records: readonly SnippetRecord[]): Promise<Snippet[]> {
  const authors = await userSummaries(
    ctx,
    records.map(({ authorId }) => authorId),
  )
  const paths = await projectPaths(
    ctx,
    records.map(({ projectId }) => projectId),
  )
  const files = await otherFilePaths(
    ctx,
    records.map(({ id }) => id),
  )
  return records.map((record) => ({
    ...record,
    author: defined(authors.get(record.authorId)),
    projectPath: record.projectId === null ? null : (paths.get(record.projectId) ?? null),
    expiresAt: null,
    filePaths: [record.fileName || unnamedFile, ...(files.get(record.id) ?? [])],
  }))
}
