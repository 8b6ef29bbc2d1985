import type { FeatureLevel, PipelineReaders, RestrictedFeatures, Visibility } from '../access/levels.ts'

/** A project. */
export interface Project {
  /** Unique among projects. */
  id: number
  /** Id of the group or personal namespace that contains the project. */
  namespaceId: number
  /**
   * Id of the user who created the project. If the host created it: id of the owner of its personal namespace, or null in a
   * group.
   */
  creatorId: number | null
  /** Display name, at most 255 characters. */
  name: string
  /** Last segment of the full path, unique within the namespace regardless of case. */
  path: string
  /** Full path of the namespace and path of the project, joined with `/`: `acme/web`. */
  fullPath: string
  /** Free text; null if none was set. */
  description: string | null
  /**
   * Who can see the project: `private` its members, `internal` also signed-in users who are not external, `public`
   * everyone.
   */
  visibility: Visibility
  /** Whether code, issues, labels and most other content are read-only. */
  archived: boolean
  /** The day on which the deletion of the project was requested, such as `2026-11-21`; null if it is not marked for deletion. */
  markedForDeletionOn: string | null
  /** Branch that is used where none is named. It does not exist while the repository is empty. */
  defaultBranch: string
  /** Whether signed-in users who are not members can request access. Has no effect on a private project. */
  requestAccessEnabled: boolean
  /** Who can use issues: `disabled` no one, `private` members, `enabled` everyone who can see the project. */
  issuesAccessLevel: FeatureLevel
  /**
   * Who can use merge requests: `disabled` no one, `private` members, `enabled` everyone who can see the project. Reading
   * the code is required as well.
   */
  mergeRequestsAccessLevel: FeatureLevel
  /**
   * Who can read the code: `disabled` no one, `private` reporters and above, `enabled` everyone who can see the project; in
   * a private project, reporters and above.
   */
  repositoryAccessLevel: FeatureLevel
  /**
   * Who can use the snippets of the project: `disabled` no one, `private` members, `enabled` everyone who can see the
   * project.
   */
  snippetsAccessLevel: FeatureLevel
  /**
   * Who can see pipelines, jobs and schedules, by the settings `buildsAccessLevel` and `publicJobs`: `everyone` who can see the
   * project, its `members`, its `reporters` and above, or `nobody`. Never more than can use the repository.
   */
  pipelineReaders: PipelineReaders
  /**
   * Further features with another level than `enabled`, by their settings such as `releasesAccessLevel`; null if all are enabled.
   */
  restrictedFeatures: RestrictedFeatures | null
  /** URL of the picture, as it was set; null for none. */
  avatarUrl: string | null
  /**
   * Id of the user whose unfinished import adds the content; null without one. Until it ends, only this user and administrators see
   * the project.
   */
  importerId: number | null
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change of these fields; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
  /** Time of the last change of the repository, initially of the creation; ISO 8601 in UTC with milliseconds. */
  lastActivityAt: string
}
