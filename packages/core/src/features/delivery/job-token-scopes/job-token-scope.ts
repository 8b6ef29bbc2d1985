/** Which job tokens a project permits, and where those of its own jobs are valid. */
export interface JobTokenScope {
  /** Whether only tokens of the project's own jobs and of the allowlists are permitted; false permits those of all projects. */
  inboundEnabled: boolean
  /** Whether tokens of the project's jobs are restricted to listed projects. Always false: the restriction is obsolete. */
  outboundEnabled: false
}

/** A project whose job tokens another project permits. */
export interface AllowedProject {
  /** Id of the project that permits the tokens. */
  sourceProjectId: number
  /** Id of the project whose job tokens are permitted. */
  targetProjectId: number
}

/** A group whose projects' job tokens a project permits. */
export interface AllowedGroup {
  /** Id of the project that permits the tokens. */
  sourceProjectId: number
  /** Id of the group. Job tokens of the projects below it are permitted. */
  targetGroupId: number
}

/** A group of an allowlist. */
export interface GroupReference {
  /** Unique among groups. */
  id: number
  /** Name for people. */
  name: string
  /** Full path: `acme/tools`. */
  fullPath: string
}
