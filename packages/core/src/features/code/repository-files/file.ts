import type { RepositoryCommit } from '../repository/repository.ts'

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
  /** Hexadecimal SHA of the last commit that changed the file. */
  lastCommitId: string
  /** Whether the file is executable (mode `100755`). */
  executeFilemode: boolean
}

/** A file that was written. */
export interface WrittenFile {
  /** Path from the root of the repository. */
  filePath: string
  /** Name of the branch that received the commit. */
  branch: string
}

/** Lines that follow each other and were last changed by the same commit. */
export interface BlameSection {
  /** The commit that last changed the lines. */
  commit: RepositoryCommit
  /** The lines, without their ends. */
  lines: string[]
}
