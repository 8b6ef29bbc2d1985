import type { Readable } from 'node:stream'
import type { UserSummary } from '../accounts/user.ts'

/** A file that texts of a project link to. */
export interface Upload {
  id: number
  projectId: number
  /** 32 random hexadecimal digits in its URL, which grant access. */
  secret: string
  fileName: string
  /** Bytes. */
  size: number
  createdAt: string
  /** Null after the user was removed. */
  uploadedBy: UserSummary | null
}

/** The content of an uploaded file. Read the stream completely or destroy it. */
export interface UploadContent {
  fileName: string
  /** Bytes. */
  size: number
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
