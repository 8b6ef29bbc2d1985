import type { PageContext } from './page-context.ts'

/** Filters of lists of issues and merge requests, as inputs of their operations. */
interface ListFilter {
  readonly search?: string
  readonly labels?: string[]
  readonly authorUsername?: string
  readonly assigneeUsername?: string[]
}

/**
 * Reads the filters of a list from the query. `label_name[]`, `author_username` and `assignee_username` have the names that links to
 * pages of GitLab have; empty values are ignored.
 */
export const readListFilter = ({ query }: PageContext): ListFilter => {
  const readAll = (...names: readonly string[]) =>
    names.flatMap((name) => query.getAll(name)).filter((value) => value !== '')
  const labels = readAll('label', 'label_name', 'label_name[]')
  const [search] = readAll('search')
  const [authorUsername] = readAll('author_username')
  const assigneeUsername = readAll('assignee_username', 'assignee_username[]')
  return {
    ...(search !== undefined && { search }),
    ...(labels.length > 0 && { labels }),
    ...(authorUsername !== undefined && { authorUsername }),
    ...(assigneeUsername.length > 0 && { assigneeUsername }),
  }
}
