import type { Generated } from 'kysely'
import type { FeatureLevel, Visibility } from '../../access/levels.ts'

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
  }
}
