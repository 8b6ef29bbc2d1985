import type { CustomAttributeValue } from '../../../contract/custom-attribute-value.ts'
import type { Group } from '../../../contract/namespace.ts'
import type { GroupSettings } from '../../accounts/namespaces/settings.ts'
import type { ProjectRecord, SharedGroup } from '../projects/project-record.ts'

/** Storage of the projects of a group and its subgroups, in bytes. */
export interface GroupStatistics {
  /** Sum of the other sizes, in bytes. */
  storageSize: number
  /** Git repositories, in bytes. */
  repositorySize: number
  /** Wikis, in bytes. */
  wikiSize: number
  /** Git LFS objects, in bytes. */
  lfsObjectsSize: number
  /** Job artifacts, in bytes. */
  jobArtifactsSize: number
  /** Packages, in bytes. */
  packagesSize: number
}

/** A group as returned by the API: specification 2, "Group". */
export interface GroupRecord extends Group, GroupSettings {
  /** Storage of the projects; present only for administrators, on request. */
  statistics?: GroupStatistics
  /** Custom attributes of the group; present only for administrators, on request. */
  customAttributes?: readonly CustomAttributeValue[]
}

/** A single group with its projects and shares. */
export interface GroupDetails extends GroupRecord {
  /** Groups that this group is shared with and that the current user can read; omitted without `withProjects`. */
  sharedWithGroups?: readonly SharedGroup[]
  /** Registration token for runners; present only for owners and administrators, and omitted without `withProjects`. */
  runnersToken?: string
  /** The newest 100 projects of the group, without subgroups, that the current user can read; omitted without `withProjects`. */
  projects?: readonly ProjectRecord[]
  /**
   * The newest 100 projects of other groups that are shared with this group and that the current user can read; omitted without
   * `withProjects`.
   */
  sharedProjects?: readonly ProjectRecord[]
}
