import type { Visibility } from '../../access/levels.ts'
import type { UserSummary } from '../accounts/user.ts'

/** A snippet as it is stored, without its content: enough to judge who may do what. */
export interface SnippetRecord {
  id: number
  /** Null for a personal snippet. */
  projectId: number | null
  authorId: number
  title: string
  /** Empty for none. */
  fileName: string
  description: string | null
  visibility: Visibility
  createdAt: string
  updatedAt: string
}

/** A snippet: specification 2, "Snippet". */
export interface Snippet extends SnippetRecord {
  author: UserSummary
  /** Full path of the project that it belongs to. */
  projectPath: string | null
  /** Snippets do not expire. */
  expiresAt: null
}

/** The text of a snippet and the name of the file that it stands for. */
export interface SnippetContent {
  content: string
  fileName: string
}

/** Who created a snippet, as the network saw it. */
export interface UserAgentDetail {
  userAgent: string
  ipAddress: string
  /** No spam service is asked, so none is ever told. */
  akismetSubmitted: false
}
