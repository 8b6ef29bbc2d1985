import type { Readable } from 'node:stream'
import type { UserSummary } from '../accounts/user.ts'

/** A file that texts of a project link to. */
export interface Upload {
  /** Unique on the instance. */
  id: number
  /** Id of the project. */
  projectId: number
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

/** The usual limit of file systems. */
const maxNameBytes = 255

/** Removes folders and replaces every character except letters, digits and `.-_+` with `_`, for use in URLs. */
export const toSafeFileName = (fileName: string): string => {
  const last = fileName.split(/[\\/]/).at(-1) ?? ''
  const safe = last.replace(/[^\p{L}\p{N}._+-]/gu, '_')
  let name = ''
  for (const character of safe) {
    if (Buffer.byteLength(name) + Buffer.byteLength(character) > maxNameBytes) break
    name += character
  }
  return /^\.*$/.test(name) ? 'file' : name
}
