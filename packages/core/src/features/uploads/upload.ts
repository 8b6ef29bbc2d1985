import type { UserSummary } from '../accounts/user.ts'

/** A file that belongs to the texts of a project. */
export interface Upload {
  id: number
  projectId: number
  /** 32 hexadecimal digits that its address holds, so that nobody guesses it. */
  secret: string
  fileName: string
  /** Bytes. */
  size: number
  createdAt: string
  /** Who sent it; null once the user is gone. */
  uploadedBy: UserSummary | null
}

/** A file and what it holds. */
export interface UploadContent {
  fileName: string
  content: Uint8Array
}

/** Bytes of a name, as file systems allow. */
const longestName = 255

/** A name that is one part of an address: no folders, and of other characters than letters, digits and `.-_+` one `_` each. */
export const safeFileName = (given: string): string => {
  const last = given.split(/[\\/]/).at(-1) ?? ''
  const safe = last.replace(/[^\p{L}\p{N}._+-]/gu, '_')
  let kept = ''
  for (const character of safe) {
    if (Buffer.byteLength(kept) + Buffer.byteLength(character) > longestName) break
    kept += character
  }
  return /^\.*$/.test(kept) ? 'file' : kept
}
