import type { GroupDetails } from '../groups/group-record.ts'

/** A project or group shared with another group. */
export interface Share {
  /** Unique among shares. */
  id: number
  /** Id of the shared project; null for a group. */
  projectId: number | null
  /** Id of the invited group. */
  groupId: number
  /** Name of the invited group, for display. */
  groupName: string
  /** Full path of the invited group: `acme/tools`. */
  groupFullPath: string
  /**
   * Maximum level that members of the group get: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups
   * only).
   */
  accessLevel: number
  /** The first day without access, such as `2026-11-21`; null for a share without end. */
  expiresAt: string | null
}

/** A share after its creation. */
export interface NewShare extends Share {
  /** The group that is shared, with its settings, shares and newest projects; null for a project. */
  sharedGroup: GroupDetails | null
}
