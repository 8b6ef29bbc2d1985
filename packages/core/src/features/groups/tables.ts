import type { Generated } from 'kysely'
import type { Visibility } from '../../access/levels.ts'
import type { ProjectCreationLevel, SubgroupCreationLevel } from './group.ts'
import type { GivenGroupSettings } from './settings.ts'

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
    shareWithGroupLock: Generated<boolean>
    projectCreationLevel: Generated<ProjectCreationLevel>
    subgroupCreationLevel: Generated<SubgroupCreationLevel>
    /** What was set of the plain settings. */
    settings: Generated<GivenGroupSettings | null>
    createdAt: string
    updatedAt: string
  }
  /** Every namespace with itself (depth 0) and each of its ancestors (1 is the parent). */
  namespaceLineage: { namespaceId: number; ancestorId: number; depth: number }
  /** What runners of a group register with: readable, since its owners hand it on. */
  runnersToken: { groupId: number; token: string }
  /** The last internal id that was given out, for each kind of thing in its project or group. */
  internalId: { kind: string; ownerId: number; last: number }
}
