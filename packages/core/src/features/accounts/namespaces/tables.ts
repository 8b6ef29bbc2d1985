import type { Generated } from 'kysely'
import type { ProjectCreationLevel, SubgroupCreationLevel, Visibility } from '../../../access/levels.ts'
import type { StoredGroupSettings } from './settings.ts'

export interface NamespaceTables {
  /** Groups and personal namespaces of users. Both contain projects and share ids and paths. */
  namespace: {
    id: Generated<number>
    kind: 'group' | 'user'
    parentId: number | null
    /** The user of a personal namespace. */
    ownerId: number | null
    name: string
    path: string
    /** Names of all ancestors and of the namespace, joined with ` / `. */
    fullName: string
    /** Paths of all ancestors and of the namespace, joined with `/`. */
    fullPath: string
    description: string
    visibility: Visibility
    requestAccessEnabled: boolean
    avatarUrl: string | null
    shareWithGroupLock: Generated<boolean>
    projectCreationLevel: Generated<ProjectCreationLevel>
    subgroupCreationLevel: Generated<SubgroupCreationLevel>
    /** The explicitly set group settings. */
    settings: Generated<StoredGroupSettings | null>
    /** The importer, while the import is unfinished; null otherwise. */
    importerId: number | null
    archived: Generated<boolean>
    /** The group above with which it was archived; null if it was archived itself, or is not archived. */
    archivedWithId: Generated<number | null>
    markedForDeletionOn: string | null
    createdAt: string
    updatedAt: string
  }
  /** Closure table: each namespace with itself (depth 0) and its ancestors (1 is the parent). */
  namespaceLineage: { namespaceId: number; ancestorId: number; depth: number }
  /**
   * Full paths, in lower case, that groups, users and projects had before they were renamed or moved, until something else takes them. A
   * group and its projects have one row, that of the group.
   */
  earlierPath: { path: string; namespaceId: number | null; projectId: number | null }
  /** Registration token for the runners of a group or, with null, the instance. Stored in plain text, because owners can read it. */
  runnersToken: { groupId: number | null; token: string }
  /** The last assigned internal id (iid) per kind in a project or group. */
  internalId: { kind: string; ownerId: number; last: number }
}
