import type { Readable } from 'node:stream'

/** A file that the jobs of a project need, such as a certificate. */
export interface SecureFile {
  /** Id of the file on the instance. */
  id: number
  /** Unique in the project. */
  name: string
  /** SHA-256 of the content, 64 hexadecimal digits. */
  checksum: string
  /** When the file was added: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** The content of a secure file. Read the stream completely or destroy it. */
export interface SecureFileContent {
  /** Name of the file. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** The bytes; read the stream completely or destroy it. */
  content: Readable
}
