import type { Visibility } from '../../access/levels.ts'

/** Who creates projects in a group: nobody, maintainers and above, developers and above. */
export const projectCreationLevels = ['noone', 'maintainer', 'developer'] as const
export type ProjectCreationLevel = (typeof projectCreationLevels)[number]

/** Who creates groups below a group: its owners, or maintainers and above. */
export const subgroupCreationLevels = ['owner', 'maintainer'] as const
export type SubgroupCreationLevel = (typeof subgroupCreationLevels)[number]

/** A group. */
export interface Group {
  id: number
  parentId: number | null
  name: string
  /** The last segment of its full path. */
  path: string
  /** Names of all ancestors and its own, joined with ` / `. */
  fullName: string
  /** Paths of all ancestors and its own, joined with `/`. */
  fullPath: string
  description: string
  visibility: Visibility
  requestAccessEnabled: boolean
  avatarUrl: string | null
  /** Its projects cannot be shared with other groups. */
  shareWithGroupLock: boolean
  projectCreationLevel: ProjectCreationLevel
  subgroupCreationLevel: SubgroupCreationLevel
  createdAt: string
  updatedAt: string
}

/** A group, or the personal namespace of a user: what holds projects. */
export interface Namespace extends Group {
  kind: 'group' | 'user'
  /** The user of a personal namespace. */
  ownerId: number | null
}
