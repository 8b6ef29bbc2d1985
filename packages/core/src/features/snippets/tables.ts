import type { Generated } from 'kysely'
import type { Visibility } from '../../access/levels.ts'

export interface SnippetTables {
  /** A snippet of its author, or of a project. */
  snippet: {
    id: Generated<number>
    projectId: number | null
    authorId: number
    title: string
    /** Empty for none. */
    fileName: string
    description: string | null
    content: string
    visibility: Visibility
    createdAt: string
    updatedAt: string
  }
  /** Where the call came from that created a snippet. */
  snippetOrigin: { snippetId: number; userAgent: string; ipAddress: string }
}
