import type { Readable } from 'node:stream'
import type { UserSummary } from '../../accounts/users/user.ts'

/** A file that texts of a project or a group link to. */
export interface Upload {
  /** Unique on the instance. */
  id: number
  /** Id of the project; null for a file of a group. */
  projectId: number | null
  /** Id of the group; null for a file of a project. */
  groupId: number | null
  /** 32 random hexadecimal digits in its URL, which grant access. */
  secret: string
  /** Name of the file, safe for use in URLs. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** When it was uploaded: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** The user who uploaded it; null after the account was removed. */
  uploadedBy: UserSummary | null
}

/** The content of an uploaded file. Read the stream completely or destroy it. */
export interface UploadContent {
  /** Name of the file, safe for use in URLs. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** The bytes; read the stream completely or destroy it. */
  content: Readable
}
