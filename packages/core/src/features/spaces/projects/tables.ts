import type { Generated } from 'kysely'
import type { Project } from '../../../contract/project.ts'
import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { PullMirror } from './pull-mirror-record.ts'
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
    /** The group with which it was archived; null if it was archived itself, or is not archived. */
    archivedWithId: Generated<number | null>
    forkedFromId: Generated<number | null>
    /** True until a branch is pushed. */
    emptyRepo: Generated<boolean>
    hasSecurityReports: Generated<boolean>
    /** Registration token for the runners of the project. Stored in plain text, because maintainers can read it. */
    runnersToken: Generated<string | null>
    /** Settings that were set explicitly; the others have their defaults. */
    settings: Generated<PartialProjectSettings | null>
  }
  /** The repository from which a project is updated. A row without a URL keeps options only. */
  pullMirror: {
    id: Generated<number>
    projectId: number
    enabled: boolean
    /** Without user and password. */
    url: string | null
    /** The URL with masked user and password. */
    shownUrl: string | null
    /** User and password as JSON, sealed in the context `pull_mirror.<project>.credentials`. */
    sealedCredentials: string | null
    /** The user who updates the branches; null for the host. */
    userId: number | null
    triggerBuilds: boolean
    onlyProtectedBranches: boolean | null
    branchRegex: string | null
    overwritesDivergedBranches: boolean
    updateStatus: PullMirror['updateStatus']
    lastError: string | null
    lastUpdateAt: string | null
    lastUpdateStartedAt: string | null
    lastSuccessfulUpdateAt: string | null
    /** Number of failures since the last success. */
    failureCount: number
    /** When the next update starts; null for none. */
    nextUpdateAt: string | null
    createdAt: string
    updatedAt: string
  }
  projectStar: { projectId: number; userId: number; createdAt: string }
  /** Storage sizes of a project, as measured by the host, and the number of commits of its default branch. */
  projectSize: { projectId: number; commitCount: number } & ProjectSizes
}
