import type { Visibility } from '../../../access/levels.ts'

/** A group or the personal namespace of a user, as the parent of projects. */
export interface NamespaceRecord {
  /** Unique among groups and personal namespaces. */
  id: number
  /** Name of the group or user, for display. */
  name: string
  /** Last segment of the full path: the group's own path or the username. */
  path: string
  /** `group`, or `user` for the personal namespace of a user. */
  kind: 'group' | 'user'
  /** Paths of all groups from the top, joined with `/`: `acme/tools`. */
  fullPath: string
  /** Id of the parent group; null for a top-level group and a personal namespace. */
  parentId: number | null
  /** URL of the picture, as it was set; null for none. */
  avatarUrl: string | null
  /** Who can see the namespace. */
  visibility: Visibility
  /** Number of users with a membership in the group or below it; present only for owners of groups and administrators. */
  membersCountWithDescendants?: number
  /** Those of them who are active and no bots; present only for owners of groups and administrators. */
  billableMembersCount?: number
  /** Number of projects with those of subgroups; present only at the top level, for owners and administrators. */
  projectsCount?: number
  /** Bytes of the repositories of these projects; present only at the top level, for owners and administrators. */
  rootRepositorySize?: number
  /** `default`, because an installation has no other plans; present only for owners and administrators. */
  plan?: 'default'
}

/** Whether a path can be used for a new namespace. */
export interface PathAvailability {
  /** Whether a group, project or user has the path. */
  exists: boolean
  /** Free paths that are similar to the taken one; empty if it is free. */
  suggests: string[]
}
