import type { Group } from '../../contract/namespace.ts'
import type { GroupSettings } from '../groups/settings.ts'
import type { CustomAttributeValue, ProjectRecord, SharedGroup } from '../projects/project-record.ts'

/** Storage of the projects of a group and its subgroups, in bytes. */
export interface GroupStatistics {
  storageSize: number
  repositorySize: number
  wikiSize: number
  lfsObjectsSize: number
  jobArtifactsSize: number
  packagesSize: number
}

/** A group as returned by the API: specification 2, "Group". */
export interface GroupRecord extends Group, GroupSettings {
  /** For administrators, on request. */
  statistics?: GroupStatistics
  /** For administrators, on request. */
  customAttributes?: readonly CustomAttributeValue[]
}

/** A single group. The optional fields are absent without `withProjects`. */
export interface GroupDetails extends GroupRecord {
  /** Only groups that the caller can read. */
  sharedWithGroups?: readonly SharedGroup[]
  /** Registration token for runners; only for owners and administrators. */
  runnersToken?: string
  /** The newest 100 projects of the group that the caller can read. */
  projects?: readonly ProjectRecord[]
  /** The newest 100 projects of other groups that are shared with this group and that the caller can read. */
  sharedProjects?: readonly ProjectRecord[]
}
