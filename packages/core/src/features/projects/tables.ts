import type { Generated } from 'kysely'
import type { Stored } from '../../db/stored.ts'
import type { Project } from './project.ts'
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
  project: Stored<Project> & {
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
