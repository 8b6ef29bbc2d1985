/** What the pushes to a project must comply with. */
export interface PushRuleValues {
  /** Regular expression that commit messages must match; empty for none. */
  commitMessageRegex: string
  /** Regular expression that commit messages must not match; empty for none. */
  commitMessageNegativeRegex: string
  /** Regular expression that the names of branches other than the default branch must match; empty for none. */
  branchNameRegex: string
  /** Regular expression that the addresses of authors and committers must match; empty for none. */
  authorEmailRegex: string
  /** Regular expression that the paths of new files must not match; empty for none. */
  fileNameRegex: string
  /** Largest size of a new or changed file in MiB; 0 for no limit. */
  maxFileSize: number
  /** Whether tags cannot be deleted. */
  denyDeleteTag: boolean
  /** Whether authors and committers must have the address of a user. */
  memberCheck: boolean
  /** Whether files are rejected that usually contain secrets, such as private keys. */
  preventSecrets: boolean
  /** Whether committers must have an address of the user who pushes. */
  commitCommitterCheck: boolean
  /** Whether authors must have the name of the user who pushes. */
  commitCommitterNameCheck: boolean
  /** Always false: pushes of unsigned commits are not rejected. */
  rejectUnsignedCommits: boolean
  /** Whether commit messages must contain a line `Signed-off-by: Name <address>`. */
  rejectNonDcoCommits: boolean
}

/** The push rule of a project, or the one that new projects of a group start with. */
export interface PushRule extends PushRuleValues {
  /** Id of the rule on the instance. */
  id: number
  /** The project of the rule; null for the rule of a group. */
  projectId: number | null
  /** When the rule was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}
