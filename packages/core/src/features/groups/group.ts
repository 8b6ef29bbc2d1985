import type { Visibility } from '../../access/levels.ts'

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
  createdAt: string
  updatedAt: string
}

/** A group, or the personal namespace of a user: what holds projects. */
export interface Namespace extends Group {
  kind: 'group' | 'user'
  /** The user of a personal namespace. */
  ownerId: number | null
}
