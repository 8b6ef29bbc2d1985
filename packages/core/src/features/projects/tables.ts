import type { Generated } from 'kysely'
import type { FeatureLevel, Visibility } from '../../access/levels.ts'
import type { GivenProjectSettings } from './settings.ts'

/** Bytes. */
interface ProjectSizes {
  repositorySize: number
  wikiSize: number
  lfsObjectsSize: number
  jobArtifactsSize: number
  packagesSize: number
}

export interface ProjectTables {
  project: {
    id: Generated<number>
    namespaceId: number
    creatorId: number | null
    name: string
    path: string
    fullPath: string
    description: string | null
    visibility: Visibility
    archived: boolean
    defaultBranch: string
    requestAccessEnabled: boolean
    issuesAccessLevel: FeatureLevel
    mergeRequestsAccessLevel: FeatureLevel
    repositoryAccessLevel: FeatureLevel
    snippetsAccessLevel: FeatureLevel
    avatarUrl: string | null
    createdAt: string
    updatedAt: string
    lastActivityAt: string
    forkedFromId: Generated<number | null>
    /** Nothing was pushed to a branch yet. */
    emptyRepo: Generated<boolean>
    hasSecurityReports: Generated<boolean>
    /** What was set of the plain settings. */
    settings: Generated<GivenProjectSettings | null>
  }
  projectStar: { projectId: number; userId: number; createdAt: string }
  /** What a project takes on disk, in bytes, as the host has measured it. */
  projectSize: { projectId: number } & ProjectSizes
}
