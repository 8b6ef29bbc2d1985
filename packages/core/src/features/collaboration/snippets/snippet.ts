import type { Visibility } from '../../../access/levels.ts'
import type { UserSummary } from '../../accounts/users/user.ts'

/** A stored snippet without its content; sufficient for permission checks. */
export interface SnippetRecord {
  /** Unique on the instance. */
  id: number
  /** Id of the project; null for a personal snippet. */
  projectId: number | null
  /** Id of the user who created the snippet. */
  authorId: number
  /** Title for display, 1 to 255 characters. */
  title: string
  /** File name, which determines the highlighting; empty when there is none. */
  fileName: string
  /** Text in Markdown; null without one. */
  description: string | null
  /**
   * `public`: everyone. `internal`: signed-in users who are not external. `private`: the author, and members of its
   * project.
   */
  visibility: Visibility
  /** When it was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When it or one of its comments was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}

/** Specification 2, "Snippet". */
export interface Snippet extends SnippetRecord {
  /** The user with the id `authorId`. */
  author: UserSummary
  /** Full path of the project; null for a personal snippet. */
  projectPath: string | null
  /** Always null, because snippets do not expire. */
  expiresAt: null
  /** Paths of the files, the first one first. */
  filePaths: readonly string[]
}

/** A file of a snippet. */
export interface SnippetFile {
  /** Path in the snippet, at most 255 characters. */
  readonly path: string
  /** Text of the file. */
  readonly content: string
}

/** Path of a first file without a name. */
export const unnamedFile = 'snippetfile1.txt'

/** The content of a snippet. */
export interface SnippetContent {
  /** The text as it was sent. */
  content: string
  /** File name; empty when there is none. */
  fileName: string
}

/** User agent and IP address of the request that created a snippet. */
export interface UserAgentDetail {
  /** The header `User-Agent` of the request; empty if it had none. */
  userAgent: string
  /** Address of the client; empty if the host did not pass it. */
  ipAddress: string
  /** Always false, because no spam reports are sent. */
  akismetSubmitted: false
}
