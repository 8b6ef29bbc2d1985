import type { Group } from '../groups/group.ts'
import type { GroupSettings } from '../groups/settings.ts'
import type { KeptWord, ProjectRecord, SharedGroup } from '../projects/record.ts'

/** What the projects of a group and of all groups below take on disk, in bytes. */
export interface GroupStatistics {
  storageSize: number
  repositorySize: number
  wikiSize: number
  lfsObjectsSize: number
  jobArtifactsSize: number
  packagesSize: number
}

/** A group with everything that a reader is told of it: specification 2, "Group". */
export interface GroupRecord extends Group, GroupSettings {
  /** Only for administrators that ask for them. */
  statistics?: GroupStatistics
  /** Only for administrators that ask for them. */
  customAttributes?: readonly KeptWord[]
}

/** One group by itself. What only `withProjects` brings is left out without it. */
export interface GroupDetails extends GroupRecord {
  /** Groups that the reader can see. */
  sharedWithGroups?: readonly SharedGroup[]
  /** What runners register with: only for owners and administrators. */
  runnersToken?: string
  /** The newest hundred at most, as far as the reader can see them. */
  projects?: readonly ProjectRecord[]
  /** Projects of other groups that are shared with this one; the newest hundred at most. */
  sharedProjects?: readonly ProjectRecord[]
}
