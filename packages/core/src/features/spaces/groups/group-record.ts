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
  /** Contents of the snippets of projects, in bytes. */
  snippetsSize: number
  /** Files that texts of projects and groups link to, in bytes. */
  uploadsSize: number
}

/** Storage of a top-level group with everything below it, in bytes. */
export interface RootStorageStatistics extends GroupStatistics {
  /** Images in the container registry, in bytes; not part of `storageSize`. */
  containerRegistrySize: number
}

/** A group as returned by the API: specification 2, "Group". */
export interface GroupRecord extends Group, GroupSettings {
  /** Name of the storage that the instance selected for the group; present only for administrators. */
  repositoryStorage?: string
  /** Storage of the projects; present only for administrators, on request. */
  statistics?: GroupStatistics
  /** Storage of a top-level group, which includes images of the container registry; present only with `statistics`. */
  rootStorageStatistics?: RootStorageStatistics
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
