import type { Page } from '../../../kernel/paging.ts'
import type { UserSummary } from '../../accounts/users/user.ts'
import type { CommitDetails } from '../../code/commits/commit.ts'
import type { Issue } from '../../planning/issues/issue.ts'
import type { Milestone } from '../../planning/milestones/milestone.ts'
import type { ProjectRecord } from '../../spaces/projects/project-record.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import type { Note } from '../notes/note.ts'
import type { Snippet } from '../snippets/snippet.ts'

/** A file that contains a text. */
export interface FoundFile {
  /** Name of the file without its extension. */
  basename: string
  /** Lines around the first one with the text, each cut after 1,000 characters; empty for files above 1 MiB. */
  data: string
  /** Path from the root of the repository. */
  path: string
  /** The same as `path`. */
  filename: string
  /** The branch, tag or commit that was searched. */
  ref: string
  /** Number of the first line of `data`, from 1. */
  startline: number
  /** Id of the project. */
  projectId: number
}

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
  /** Files of a branch, tag or commit by text, one result for each file. */
  blobs: FoundFile
  /** Commits of a branch, tag or commit by message. */
  commits: CommitDetails
}

export type SearchScope = keyof SearchResults

/** A kind of items in the database. */
export type RowScope = Exclude<SearchScope, 'blobs' | 'commits'>

/** A page of items of one kind. */
export interface ScopedPage<S extends SearchScope> extends Page<SearchResults[S]> {
  /** The kind of the items. */
  readonly scope: S
}

/** A page of the items that a search found. */
export type SearchPage = { [S in SearchScope]: ScopedPage<S> }[SearchScope]
