import type { Generated } from 'kysely'
import type { Visibility } from '../../access/levels.ts'

export interface NamespaceTables {
  /** Groups, and the personal namespace of each user: both hold projects and share one space of ids and paths. */
  namespace: {
    id: Generated<number>
    kind: 'group' | 'user'
    parentId: number | null
    /** The user of a personal namespace. */
    ownerId: number | null
    name: string
    path: string
    /** Names of all ancestors and its own, joined with ` / `. */
    fullName: string
    /** Paths of all ancestors and its own, joined with `/`. */
    fullPath: string
    description: string
    visibility: Visibility
    requestAccessEnabled: boolean
    avatarUrl: string | null
    createdAt: string
    updatedAt: string
  }
  /** Every namespace with itself (depth 0) and each of its ancestors (1 is the parent). */
  namespaceLineage: { namespaceId: number; ancestorId: number; depth: number }
  /** The last internal id that was given out, for each kind of thing in its project or group. */
  internalId: { kind: string; ownerId: number; last: number }
}
