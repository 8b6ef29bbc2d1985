/** A file at a branch, tag or commit. */
export interface RepositoryFile {
  fileName: string
  /** Relative to the root of the repository. */
  filePath: string
  /** Bytes. */
  size: number
  encoding: 'base64'
  content: string
  /** Hexadecimal SHA-256 of the decoded content. */
  contentSha256: string
  /** The requested ref. */
  ref: string
  blobId: string
  /** The commit that `ref` resolves to. */
  commitId: string
  executeFilemode: boolean
}
