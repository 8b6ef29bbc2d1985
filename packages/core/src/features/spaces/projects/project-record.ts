import type { CustomAttributeValue } from '../../../contract/custom-attribute-value.ts'
import type { Project } from '../../../contract/project.ts'
import type { UserSummary } from '../../accounts/users/user.ts'
import type { ProjectLicense, ProjectSettings } from './settings.ts'

/** The namespace of a project. */
export interface ProjectNamespace {
  /** Unique on the instance, also among groups. */
  id: number
  /** Name of the group or user, for display. */
  name: string
  /** Last segment of the full path: the group's own path or the username. */
  path: string
  /** `group`, or `user` for the personal namespace of a user. */
  kind: 'group' | 'user'
  /** Paths of all groups from the top, joined with `/`: `acme/tools`. */
  fullPath: string
  /** Id of the group above; null for a top-level group and a personal namespace. */
  parentId: number | null
  /** URL of the group's picture; null without one. */
  avatarUrl: string | null
}

/** A group that a project or a group is shared with. */
export interface SharedGroup {
  /** Id of the invited group. */
  groupId: number
  /** Name of the invited group, for display. */
  groupName: string
  /** Full path of the invited group: `acme/tools`. */
  groupFullPath: string
  /** Maximum level that members of the group get: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  groupAccessLevel: number
  /** The first day without access, such as `2026-11-21`; null for a share without end. */
  expiresAt: string | null
}

/** Storage of a project in bytes, and the number of its commits. */
export interface ProjectStatistics {
  /** Number of commits of the default branch after the last push. */
  commitCount: number
  /** Sum of the other sizes without that of the container registry. */
  storageSize: number
  /** The git repository. */
  repositorySize: number
  /** Pages of the wiki with their history. */
  wikiSize: number
  /** Git LFS objects. */
  lfsObjectsSize: number
  /** Artifacts of jobs. */
  jobArtifactsSize: number
  /** The package registry. */
  packagesSize: number
  /** Contents of all snippets of the project. */
  snippetsSize: number
  /** Files that texts of the project link to. */
  uploadsSize: number
  /** Images in the container registry. */
  containerRegistrySize: number
}

/** The full record of a project for a viewer: specification 2, "Project record". */
export interface ProjectRecord
  extends Omit<Project, 'defaultBranch' | 'restrictedFeatures'>,
    Omit<
      ProjectSettings,
      'ciConfigPath' | 'importError' | 'importSource' | 'importType' | 'license' | 'repositoryStorage'
    > {
  /** Registration token for runners; present only for maintainers, owners and administrators. */
  runnersToken?: string
  /** The group or personal namespace that contains the project. */
  namespace: ProjectNamespace
  /** Names of the ancestor groups and of the project, joined with ` / `. */
  nameWithNamespace: string
  /** The owner of the personal namespace; omitted for projects of groups. */
  owner?: UserSummary
  /** Name of the default branch. Omitted when the current user cannot read the code. */
  defaultBranch?: string
  /** Path of the pipeline file; null for the default one. Omitted when the current user cannot read the code. */
  ciConfigPath?: string | null
  /** Kind of the import that created the project; null without one. For maintainers and above. */
  importType?: string | null
  /** Address of the imported repository with masked credentials; null without one. For maintainers and above. */
  importUrl?: string | null
  /** Whether the repository is updated from another one, at `importUrl`. */
  mirror: boolean
  /** Id of the user who updates the branches; null for the host. Omitted without a mirror, as the fields below. */
  mirrorUserId?: number | null
  /** Whether updates create pipelines. */
  mirrorTriggerBuilds?: boolean
  /** Whether only protected branches are updated; null if that was never set. */
  onlyMirrorProtectedBranches?: boolean | null
  /** Pattern in RE2 syntax: only branches whose name contains a match are updated; null for all branches. */
  mirrorBranchRegex?: string | null
  /** Whether branches and tags are overwritten that have commits which the other repository does not have. */
  mirrorOverwritesDivergedBranches?: boolean
  /** Why the import failed; null unless it did. For maintainers and above. */
  importError?: string | null
  /** Name of the storage of the repository. Administrators only. */
  repositoryStorage?: string
  /**
   * Path of the readme in the default branch. Null without one, for an empty repository, and for users who cannot
   * read the code.
   */
  readmeFile: string | null
  /** Number of users who have starred the project. */
  starCount: number
  /** Forks visible to the current user. */
  forksCount: number
  /** The project that this one is a fork of, without its own source; omitted without one and when the current user cannot see it. */
  forkedFromProject?: ProjectRecord
  /** Omitted when the current user cannot list issues. Confidential issues are not counted. */
  openIssuesCount?: number
  /** Whether nothing has been pushed to the repository yet. */
  emptyRepo: boolean
  /** Groups visible to the current user. */
  sharedWithGroups: readonly SharedGroup[]
  /** Whether the current user can list issues. */
  issuesEnabled: boolean
  /** Whether the current user can list merge requests. */
  mergeRequestsEnabled: boolean
  /** Whether the current user can use the wiki, according to `wikiAccessLevel`. */
  wikiEnabled: boolean
  /** Whether the current user can see pipelines, according to `buildsAccessLevel`. */
  jobsEnabled: boolean
  /** Whether the current user can use snippets, according to `snippetsAccessLevel`. */
  snippetsEnabled: boolean
  /** The description as HTML. */
  descriptionHtml: string
  /** Host and path of the images of the project: `registry.example.com/acme/web`. */
  containerRegistryImagePrefix: string
  /** Whether the current user can open merge requests in the project. */
  canCreateMergeRequestIn: boolean
  /** Custom attributes, oldest first. Administrators only, on request. */
  customAttributes?: readonly CustomAttributeValue[]
  /** The license of the default branch; null without a file with one. On request, for users who can read the code. */
  license?: ProjectLicense | null
  /** On request, for reporters and above. */
  statistics?: ProjectStatistics
}

/** An access level and notification level: 0 disabled, 1 participating, 2 watch, 3 global, 4 mention, 5 custom. */
export interface AccessGrant {
  /** 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  accessLevel: number
  /** The current user's notification level there: 0 disabled, 1 participating, 2 watch, 3 global, 4 mention, 5 custom. */
  notificationLevel: number
}

/** A project in a list, with the current user's access levels. */
export interface ProjectWithAccess extends ProjectRecord {
  /** The access levels of the current user; omitted for anonymous callers. */
  permissions?: ProjectDetails['permissions']
}

/** A single project, with the current user's access levels. */
export interface ProjectDetails extends ProjectRecord {
  /** The access levels of the current user. */
  permissions: {
    /** By a direct membership of the project; null without one. */
    projectAccess: AccessGrant | null
    /** In the project's group, also inherited or by a share; null without any. */
    groupAccess: AccessGrant | null
  }
}
