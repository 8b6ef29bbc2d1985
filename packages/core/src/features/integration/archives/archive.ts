import type { Readable } from 'node:stream'

/** What an archive contains. */
export type ArchiveKind = 'project' | 'group'

/** Stages of an export. The archive of an earlier export is available in all of them. */
export type ExportStage = 'queued' | 'started' | 'finished' | 'failed'

export type ImportStage = 'scheduled' | 'started' | 'finished' | 'failed'

/** Fields and settings of a project, which were validated. */
export interface ImportOverrides {
  readonly fields: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
}

/** What an import applies instead of the contents of its archive, and what its attempts have in common. */
export interface ImportOptions {
  /** Fields of the project that replace those of the archive. */
  readonly overrides?: ImportOverrides
  /** Replaces the project with this id, which has the path, when the import succeeds. */
  readonly replaces?: { readonly projectId: number; readonly path: string }
  /** Where the repository of a project is created; omitted before the first attempt. */
  readonly repositoryKey?: string
}

/** A project or a group with the state of its export or import. */
interface ArchivedContainer {
  /** Whether it is a project or a group. */
  kind: ArchiveKind
  /** Id of the project or the group. */
  id: number
  /** Display name. */
  name: string
  /** Names of the groups above and of the project or group, joined with ` / `. */
  nameWithNamespace: string
  /** Last segment of the full path. */
  path: string
  /** Full path: `acme/web`. */
  fullPath: string
  /** Text in Markdown; null without one. */
  description: string | null
  /** Time of creation of the project or the group; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}

/** The state of the last export of a project or a group. */
export interface ExportDetails extends ArchivedContainer {
  /**
   * `none`, `queued`, `started`, `finished` or `failed`; `regeneration_in_progress` while a new archive is created and an older
   * one can be downloaded.
   */
  exportStatus: 'none' | 'regeneration_in_progress' | ExportStage
  /** Why the last export failed; null unless it did. */
  exportError: string | null
  /** Whether there is an archive. */
  isDownloadable: boolean
  /** Time at which the archive is removed; null without one. */
  expiresAt: string | null
}

/** The state of the import that created a project or a group. */
export interface ImportDetails extends ArchivedContainer {
  /** `none` without an import, otherwise `scheduled`, `started`, `finished` or `failed`. */
  importStatus: 'none' | ImportStage
  /** `gitlab_project` or `gitlab_group` for an archive, `git` for a repository; null without an import. */
  importType: string | null
  /** Why the import failed; null unless it did. */
  importError: string | null
  /** Identifies the import in logs; null without one. */
  correlationId: string | null
  /** Always empty: an import that fails leaves nothing. */
  failedRelations: never[]
}

/** An archive. The stream must be consumed or destroyed. */
export interface ArchiveContent {
  /** Name of the file, such as `acme_web_export.tar.gz`. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** The bytes of the file. */
  content: Readable
}
