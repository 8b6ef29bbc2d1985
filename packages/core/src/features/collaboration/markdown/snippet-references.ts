import { withGrants } from '../../../access/grants.ts'
import { readableSnippets } from '../../../access/predicates.ts'
import type { Reference } from '../../../ports/markdown/reference.ts'
import { snippetRows } from '../snippets/queries.ts'
import type { ResolutionContext } from './resolution-context.ts'

/** Resolves `$12`, a snippet by its global id. With a project path, the snippet must belong to that project. */
export async function resolveSnippets(
  { ctx, url, setResolved }: ResolutionContext,
  references: readonly Reference[],
): Promise<void> {
  const requested = references.filter(({ kind }) => kind === 'snippet')
  if (!requested.length) return
  const rows = await snippetRows(ctx)
    .where(
      'snippet.id',
      'in',
      requested.map(({ value }) => Number(value)),
    )
    .where(readableSnippets(await withGrants(ctx)))
    .select(['snippet.id', 'snippet.title', 'project.fullPath'])
    .execute()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  for (const reference of requested) {
    const row = byId.get(reference.value)
    if (!row) continue
    const { id, title, fullPath } = row
    if (reference.project !== undefined && reference.project.toLowerCase() !== fullPath?.toLowerCase()) continue
    setResolved(reference, { url: url(fullPath === null ? `/snippets/${id}` : `/${fullPath}/-/snippets/${id}`), title })
  }
}
