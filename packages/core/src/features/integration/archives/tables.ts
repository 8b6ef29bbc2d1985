import type { Generated } from 'kysely'
import type { ExportStage, ImportOptions, ImportStage } from './archive.ts'

/** A project or a group, and the user who requested the work; null for the host and for removed users. */
export interface ArchiveRow {
  id: Generated<number>
  projectId: number | null
  groupId: number | null
  userId: number | null
  error: string | null
  /** The archive in the file storage; null while there is none. */
  storageKey: string | null
  createdAt: string
}

export interface ArchiveTables {
  /** The last export of a project or a group. Its archive stays available while a newer one is created. */
  archiveExport: ArchiveRow & {
    status: ExportStage
    description: string | null
    /** Bytes of the archive; null without one. */
    size: number | null
    finishedAt: string | null
    expiresAt: string | null
  }
  /** The import that created a project or a group. */
  archiveImport: ArchiveRow & {
    status: ImportStage
    /** 32 hexadecimal digits. */
    correlationId: string
    options: ImportOptions
  }
}
