import { readableSnippets } from '../../access/predicates.ts'
import type { Reference } from '../../ports/markdown/reference.ts'
import { snippetRows } from '../snippets/queries.ts'
import type { Resolving } from './resolver.ts'

/** `$12`: a snippet by its id, wherever it is; one that names a project only when it is in that project. */
export async function resolveSnippets({ ctx, url, found }: Resolving, references: readonly Reference[]): Promise<void> {
  const wanted = references.filter(({ kind }) => kind === 'snippet')
  if (!wanted.length) return
  const rows = await snippetRows(ctx)
    .where(
      'snippet.id',
      'in',
      wanted.map(({ value }) => Number(value)),
    )
    .where(readableSnippets(ctx))
    .select(['snippet.id', 'snippet.title', 'project.fullPath'])
    .execute()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  for (const reference of wanted) {
    const row = byId.get(reference.value)
    if (!row) continue
    const { id, title, fullPath } = row
    if (reference.project !== undefined && reference.project.toLowerCase() !== fullPath?.toLowerCase()) continue
    found(reference, { url: url(fullPath === null ? `/snippets/${id}` : `/${fullPath}/-/snippets/${id}`), title })
  }
}
