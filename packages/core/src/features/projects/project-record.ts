import type { Project } from '../../contract/project.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { ProjectSettings } from './settings.ts'

/** The namespace of a project. */
export interface ProjectNamespace {
  id: number
  name: string
  path: string
  kind: 'group' | 'user'
  fullPath: string
  parentId: number | null
  avatarUrl: string | null
}

/** A group that a project or a group is shared with. */
export interface SharedGroup {
  groupId: number
  groupName: string
  groupFullPath: string
  groupAccessLevel: number
  expiresAt: string | null
}

/** A custom attribute; visible to administrators only. */
export interface CustomAttributeValue {
  key: string
  value: string
}

/** The full record of a project for a viewer: specification 2, "Project record". */
export interface ProjectRecord
  extends Omit<Project, 'defaultBranch'>,
    Omit<ProjectSettings, 'ciConfigPath' | 'repositoryStorage'> {
  namespace: ProjectNamespace
  /** Names of the ancestor groups and of the project, joined with ` / `. */
  nameWithNamespace: string
  /** Personal projects only. */
  owner?: UserSummary
  /** Absent when the viewer cannot read the code. */
  defaultBranch?: string
  /** Absent when the viewer cannot read the code. */
  ciConfigPath?: string | null
  /** Administrators only. */
  repositoryStorage?: string
  /** Null for an empty repository, and for viewers who cannot read the code. */
  readmeFile: string | null
  starCount: number
  /** Forks visible to the viewer. */
  forksCount: number
  /** Absent when the viewer cannot list issues. Confidential issues are not counted. */
  openIssuesCount?: number
  emptyRepo: boolean
  /** Groups visible to the viewer. */
  sharedWithGroups: readonly SharedGroup[]
  /** The `…Enabled` flags state whether the viewer can use the feature. */
  issuesEnabled: boolean
  mergeRequestsEnabled: boolean
  wikiEnabled: boolean
  jobsEnabled: boolean
  snippetsEnabled: boolean
  canCreateMergeRequestIn: boolean
  /** Administrators only, on request. */
  customAttributes?: readonly CustomAttributeValue[]
}

/** An access level and notification level: 0 disabled, 1 participating, 2 watch, 3 global, 4 mention, 5 custom. */
export interface AccessGrant {
  accessLevel: number
  notificationLevel: number
}

/** A single project, with the viewer's access levels. */
export interface ProjectDetails extends ProjectRecord {
  permissions: { projectAccess: AccessGrant | null; groupAccess: AccessGrant | null }
}
