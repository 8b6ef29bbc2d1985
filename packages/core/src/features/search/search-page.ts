import type { Page } from '../../kernel/paging.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Issue } from '../issues/issue.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import type { Milestone } from '../milestones/milestone.ts'
import type { Note } from '../notes/note.ts'
import type { ProjectRecord } from '../projects/project-record.ts'
import type { Snippet } from '../snippets/snippet.ts'

/** What a search returns, by its scope. */
export interface SearchResults {
  /** Projects by name, path and description. */
  projects: ProjectRecord
  /** Issues by title and description. */
  issues: Issue
  /** Merge requests by title and description. */
  merge_requests: MergeRequest
  /** Milestones by title and description. */
  milestones: Milestone
  /** Users by name and username. */
  users: UserSummary
  /** Comments of a project by text. */
  notes: Note
  /** Snippets by title. */
  snippet_titles: Snippet
}

export type SearchScope = keyof SearchResults

/** A page of items of one kind. */
export interface ScopedPage<S extends SearchScope> extends Page<SearchResults[S]> {
  /** The kind of the items. */
  readonly scope: S
}

/** A page of the items that a search found. */
export type SearchPage = { [S in SearchScope]: ScopedPage<S> }[SearchScope]
