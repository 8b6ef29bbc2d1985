import type { FeatureLevel, Visibility } from '../access/levels.ts'

/** A project. */
export interface Project {
  id: number
  namespaceId: number
  creatorId: number | null
  name: string
  /** The last segment of the full path. */
  path: string
  /** The full path of its namespace and its own path, joined with `/`: `acme/web`. */
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
