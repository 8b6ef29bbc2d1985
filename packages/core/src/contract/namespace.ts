import type { ProjectCreationLevel, SubgroupCreationLevel, Visibility } from '../access/levels.ts'

/** A group. */
export interface Group {
  id: number
  parentId: number | null
  name: string
  /** The last segment of the full path. */
  path: string
  /** The names of all ancestors and its own name, joined with ` / `. */
  fullName: string
  /** The paths of all ancestors and its own path, joined with `/`. */
  fullPath: string
  description: string
  visibility: Visibility
  requestAccessEnabled: boolean
  avatarUrl: string | null
  /** Prevents sharing its projects with other groups. */
  shareWithGroupLock: boolean
  projectCreationLevel: ProjectCreationLevel
  subgroupCreationLevel: SubgroupCreationLevel
  createdAt: string
  updatedAt: string
}

/** A container of projects: a group or the personal namespace of a user. */
export interface Namespace extends Group {
  kind: 'group' | 'user'
  /** The owner of a personal namespace; null for a group. */
  ownerId: number | null
}
