import type { Generated } from 'kysely'
import type { Project } from '../../../contract/project.ts'
import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { PartialProjectSettings } from './settings.ts'

/** Bytes. */
export interface ProjectSizes {
  repositorySize: number
  wikiSize: number
  lfsObjectsSize: number
  jobArtifactsSize: number
  packagesSize: number
  snippetsSize: number
  containerRegistrySize: number
}

export interface ProjectTables {
  project: WithGeneratedId<Project> & {
    forkedFromId: Generated<number | null>
    /** True until a branch is pushed. */
    emptyRepo: Generated<boolean>
    hasSecurityReports: Generated<boolean>
    /** Registration token for the runners of the project. Stored in plain text, because maintainers can read it. */
    runnersToken: Generated<string | null>
    /** Settings that were set explicitly; the others have their defaults. */
    settings: Generated<PartialProjectSettings | null>
  }
  projectStar: { projectId: number; userId: number; createdAt: string }
  /** Storage sizes of a project, as measured by the host, and the number of commits of its default branch. */
  projectSize: { projectId: number; commitCount: number } & ProjectSizes
}
