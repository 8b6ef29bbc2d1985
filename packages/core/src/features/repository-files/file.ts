/** A file at a branch, a tag or a commit. */
export interface RepositoryFile {
  fileName: string
  /** From the root of the repository. */
  filePath: string
  /** Bytes. */
  size: number
  encoding: 'base64'
  content: string
  /** Of the content, in hexadecimal digits. */
  contentSha256: string
  /** As it was asked for. */
  ref: string
  blobId: string
  /** The commit that `ref` means. */
  commitId: string
  executeFilemode: boolean
}
