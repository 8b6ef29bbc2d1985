import type { ProjectCreationLevel, SubgroupCreationLevel, Visibility } from '../access/levels.ts'

/** A group. */
export interface Group {
  /** Unique among groups and personal namespaces. */
  id: number
  /** Id of the parent group; null at the top level. */
  parentId: number | null
  /** Display name, at most 255 characters. */
  name: string
  /** Last segment of the full path, unique within the parent regardless of case. */
  path: string
  /** Names of all ancestors and of the group, joined with ` / `: `Acme / Tools`. */
  fullName: string
  /** Paths of all ancestors and of the group, joined with `/`: `acme/tools`. */
  fullPath: string
  /** Free text; empty if none was set. */
  description: string
  /** Who can see the group: `private` its members, `internal` also signed-in users who are not external, `public` everyone. */
  visibility: Visibility
  /** Whether signed-in users who are not members can request access. Has no effect on a private group. */
  requestAccessEnabled: boolean
  /** URL of the picture, as it was set; null for none. */
  avatarUrl: string | null
  /** Whether the projects of the group and its subgroups cannot be shared with other groups. */
  shareWithGroupLock: boolean
  /** Lowest role that can create projects in the group: `developer`, `maintainer` or `owner`; `noone`, `administrator`: administrators only. */
  projectCreationLevel: ProjectCreationLevel
  /** Lowest role that can create subgroups: `owner` or `maintainer`. */
  subgroupCreationLevel: SubgroupCreationLevel
  /**
   * Id of the user whose unfinished import adds the content; null without one. Until it ends, only this user and administrators see
   * the group.
   */
  importerId: number | null
  /** Whether the group, or a group above it, is archived: it and all its contents are read-only. */
  archived: boolean
  /** The day on which the deletion of the group was requested, such as `2026-11-21`; null if it is not marked for deletion. */
  markedForDeletionOn: string | null
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
}

/** A container of projects: a group or the personal namespace of a user. */
export interface Namespace extends Group {
  /** `user` for the personal namespace of a user. */
  kind: 'group' | 'user'
  /** The owner of a personal namespace; null for a group. */
  ownerId: number | null
}
