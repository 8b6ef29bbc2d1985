import type { Generated } from 'kysely'
import type { Visibility } from '../../../access/levels.ts'

export interface SnippetTables {
  /** A personal snippet or one of a project. */
  snippet: {
    id: Generated<number>
    projectId: number | null
    authorId: number
    title: string
    /** Empty when there is none. */
    fileName: string
    description: string | null
    content: string
    visibility: Visibility
    createdAt: string
    updatedAt: string
  }
  /** A file of a snippet in addition to the first one, which is a part of the snippet. */
  snippetFile: { id: Generated<number>; snippetId: number; path: string; content: string }
  /** User agent and IP address of the request that created a snippet. */
  snippetOrigin: { snippetId: number; userAgent: string; ipAddress: string }
}
