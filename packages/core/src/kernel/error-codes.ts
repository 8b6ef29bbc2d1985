/** Why an operation failed. */
export type ErrorCode =
  /** Authentication is required, or the credential is unknown, expired or revoked. */
  | 'unauthenticated'
  /** The call itself is malformed: a parameter is missing, of the wrong type or not allowed. */
  | 'invalid_input'
  /** Missing, or invisible to the current user, without distinction. */
  | 'not_found'
  /** Visible, but not allowed. */
  | 'forbidden'
  /** The scopes of the token do not permit this operation. */
  | 'insufficient_scope'
  /** A paid-tier operation on a platform with the `free` tier. */
  | 'not_licensed'
  /** Well-formed, but the values violate a rule of the resource. */
  | 'invalid'
  /** The resource already exists, or was modified since it was read. */
  | 'conflict'
  /** Well-formed and allowed, but nothing useful is left to do. */
  | 'unprocessable'
  /** Over the rate limit; try again later. */
  | 'limited'
  /**
   * The database is not available, busy, full or read-only, or an external service does not respond. Unless the reason is
   * `outcome_unknown`, nothing was changed: try again later.
   */
  | 'unavailable'

/**
 * Why an operation failed, more specific than the code of the error. Errors without one are told apart by their code. Later
 * versions can add values.
 */
export type ErrorReason =
  /** `unauthenticated`: no such token, user or linked identity. */
  | 'unknown'
  /** `unauthenticated`: the token has expired, or its job has ended. */
  | 'expired'
  /** `unauthenticated`: the token was revoked. */
  | 'revoked'
  /** `forbidden`: the account of the current user is blocked. */
  | 'blocked'
  /** `forbidden`: the account of the current user is deactivated. */
  | 'deactivated'
  /** `forbidden`: the account of the current user is banned. */
  | 'banned'
  /** `forbidden`: no administrator has approved the account of the current user yet. */
  | 'blocked_pending_approval'
  /** `forbidden`: the current user has not accepted the terms of service yet. */
  | 'terms_not_accepted'
  /** `forbidden`: only administrators act as other users. */
  | 'sudo'
  /** `forbidden`: the branch, tag or environment is protected. */
  | 'protected'
  /** `forbidden`: the pipeline is archived. */
  | 'archived'
  /** `forbidden`: a newer commit was deployed to the environment. */
  | 'outdated'
  /** `forbidden`: the source branch of the merge request is missing, or the current user cannot replace its commits. */
  | 'source_branch'
  /** `forbidden`: the external authorization service has denied access to the project. */
  | 'external_authorization'
  /** `forbidden`: only a primary node accepts the change. */
  | 'secondary'
  /** `invalid_input`: the filter of a SCIM request is malformed or not supported. */
  | 'invalid_filter'
  /** `invalid_input`: the path of a SCIM change is malformed, or no attribute of the schema. */
  | 'invalid_path'
  /** `invalid_input`: the body of a SCIM request is malformed. */
  | 'invalid_syntax'
  /** `invalid_input`: a SCIM value is missing, or has the wrong type. */
  | 'invalid_value'
  /** `invalid_input`: the SCIM attribute is required or read-only. */
  | 'mutability'
  /** `invalid_input`: a SCIM change selects no value. */
  | 'no_target'
  /** `invalid`: a note or discussion has text or a position that it cannot have. */
  | 'unsaved'
  /** `invalid`: the file has changed since the given commit. */
  | 'file_changed'
  /** `invalid`: a cherry-pick or revert contradicts changes of the branch. */
  | 'conflict'
  /** `invalid`: a cherry-pick or revert would change nothing. */
  | 'empty'
  /** `conflict`: the resource was modified since it was read. */
  | 'modified'
  /** `conflict`: another open merge request has the same branches. */
  | 'duplicate'
  /** `conflict` or `unprocessable`: the merge request cannot be merged. */
  | 'not_mergeable'
  /** `unprocessable`: the file, or the content to read, is larger than a limit. */
  | 'too_large'
  /** `unprocessable`: the artifacts of a job are larger than the limit of the instance. */
  | 'artifacts_too_large'
  /** `unprocessable`: git refuses the objects of a push. */
  | 'rejected_pack'
  /** `unprocessable`: a remote repository rejects the credentials. */
  | 'credentials'
  /** `unprocessable`: the commit contains file names that are unsafe to unpack. */
  | 'unsafe_names'
  /** `unprocessable`: the program bzip2, which the archive format requires, is not installed. */
  | 'bzip2_missing'
  /**
   * `unavailable`: the connection to the database, or the lock of a repository, was lost while the change was made; it may have
   * been made.
   */
  | 'outcome_unknown'
  /** `unavailable`: the disk is full; nothing was changed. */
  | 'full'
  /** `unavailable`: the data is read-only; nothing was changed. */
  | 'readonly'
  /** `unavailable`: the data file was deleted or replaced while it was open. */
  | 'replaced'
  /** `unavailable`: the platform is closed or shutting down. */
  | 'shutdown'
  /** `unavailable`: the operation exceeded its time limit. */
  | 'time_limit'
  /** `unavailable`: too much content waits to be sent to clients. */
  | 'memory'
  /** `unavailable`: no key for secrets is configured. */
  | 'no_secret_key'
  /** `unavailable`: a stored secret was encrypted with another key, or is damaged. */
  | 'secret_unreadable'
  /** `unavailable`: the container registry fails or does not respond. */
  | 'registry'
  /** `unavailable`: git is not installed or cannot be started. */
  | 'git_missing'
