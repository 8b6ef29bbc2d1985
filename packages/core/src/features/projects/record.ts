import type { UserSummary } from '../accounts/user.ts'
import type { Project } from './project.ts'
import type { ProjectSettings } from './settings.ts'

/** Where a project stands. */
export interface ProjectHome {
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

/** A word that administrators keep. */
export interface KeptWord {
  key: string
  value: string
}

/** A project with everything that a reader is told of it: specification 2, "Project record". */
export interface ProjectRecord
  extends Omit<Project, 'defaultBranch'>,
    Omit<ProjectSettings, 'ciConfigPath' | 'repositoryStorage'> {
  namespace: ProjectHome
  /** Names of all groups above and its own, joined with ` / `. */
  nameWithNamespace: string
  /** Of personal projects only. */
  owner?: UserSummary
  /** Only for those who can see the code. */
  defaultBranch?: string
  /** Only for those who can see the code. */
  ciConfigPath?: string | null
  /** Only for administrators. */
  repositoryStorage?: string
  /** Null while nothing was pushed, or to those who cannot see the code. */
  readmeFile: string | null
  starCount: number
  /** Forks that the reader can see. */
  forksCount: number
  /** Only where issues are open to the reader; confidential ones do not count. */
  openIssuesCount?: number
  emptyRepo: boolean
  /** Groups that the reader can see. */
  sharedWithGroups: readonly SharedGroup[]
  /** Whether each part is open to the reader. */
  issuesEnabled: boolean
  mergeRequestsEnabled: boolean
  wikiEnabled: boolean
  jobsEnabled: boolean
  snippetsEnabled: boolean
  canCreateMergeRequestIn: boolean
  /** Only for administrators that ask for them. */
  customAttributes?: readonly KeptWord[]
}

/** A level held somewhere, and how much the holder wants to be told: 0 nothing, 1 what they take part in, 2 all, 3 as set for everything, 4 mentions, 5 a choice. */
export interface HeldLevel {
  accessLevel: number
  notificationLevel: number
}

/** One project by itself also says what the reader holds on it. */
export interface ProjectDetails extends ProjectRecord {
  permissions: { projectAccess: HeldLevel | null; groupAccess: HeldLevel | null }
}
