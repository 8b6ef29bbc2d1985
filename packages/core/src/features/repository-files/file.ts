/** A file at a branch, tag or commit. */
export interface RepositoryFile {
  /** Last segment of the path. */
  fileName: string
  /** Relative to the root of the repository. */
  filePath: string
  /** Size in bytes. */
  size: number
  /** Encoding of `content`; always Base64. */
  encoding: 'base64'
  /** The bytes of the file in Base64. */
  content: string
  /** Hexadecimal SHA-256 of the decoded content. */
  contentSha256: string
  /** The branch, tag or commit of the request; `HEAD` if it had none. */
  ref: string
  /** Id of the content in git, a hexadecimal SHA; equal contents have the same id. */
  blobId: string
  /** Hexadecimal SHA of the commit that `ref` resolves to. */
  commitId: string
  /** Whether the file is executable (mode `100755`). */
  executeFilemode: boolean
}
