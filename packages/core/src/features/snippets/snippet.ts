import type { Visibility } from '../../access/levels.ts'
import type { UserSummary } from '../accounts/user.ts'

/** A stored snippet without its content; sufficient for permission checks. */
export interface SnippetRecord {
  id: number
  /** Null for a personal snippet. */
  projectId: number | null
  authorId: number
  title: string
  /** Empty when there is none. */
  fileName: string
  description: string | null
  visibility: Visibility
  createdAt: string
  updatedAt: string
}

/** Specification 2, "Snippet". */
export interface Snippet extends SnippetRecord {
  author: UserSummary
  /** Full path of the project; null for a personal snippet. */
  projectPath: string | null
  /** Snippets do not expire. */
  expiresAt: null
}

/** The content of a snippet. */
export interface SnippetContent {
  content: string
  fileName: string
}

/** User agent and IP address of the request that created a snippet. */
export interface UserAgentDetail {
  userAgent: string
  ipAddress: string
  /** No spam reports are sent. */
  akismetSubmitted: false
}
