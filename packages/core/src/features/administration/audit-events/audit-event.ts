/** What audit events are about. The instance has the name that clients of the GitLab API know. */
export const auditedTypes = ['User', 'Group', 'Project', 'Gitlab::Audit::InstanceScope'] as const

export type AuditedType = (typeof auditedTypes)[number]

/** The details of an audit event. */
export interface AuditDetails {
  /** What happened, in words; omitted if `change` is set. */
  customMessage?: string
  /** Name of the field that changed; omitted for events that are no change of a field. */
  change?: string
  /** The value before the change; null for none. Omitted without `change`, and for secrets. */
  from?: string | null
  /** The value after the change; null for none. Omitted without `change`, and for secrets. */
  to?: string | null
  /** Display name of the author at that time. */
  authorName: string
  /** Kind of the author: `User`, `DeployToken`, `ScimToken`, `System` for the host, or `Unauthenticated`. */
  authorClass: string
  /** E-mail address of the author now; null without a user who still exists. */
  authorEmail: string | null
  /** Id of what changed; null if it has none. */
  targetId: number | null
  /** Kind of what changed, such as `DeployToken`. */
  targetType: string
  /** Name of what changed, at that time; null if it has none. */
  targetDetails: string | null
  /** IP address of the client; null for calls that did not come over the network. */
  ipAddress: string | null
  /** Full path of the project or group, username, or `gitlab_instance`, at that time. */
  entityPath: string
}

/** The details as stored, without what is read with them. */
export type StoredAuditDetails = Omit<AuditDetails, 'authorEmail'>

/** A record of who changed what. It stays when its author and its entity are removed. */
export interface AuditEvent {
  /** Unique among audit events. */
  id: number
  /** Id of the user who made the change; null if no user did. */
  authorId: number | null
  /** What the event is about: a user, a group, a project or the instance. */
  entityType: AuditedType
  /** Id of the user, group or project; 1 for the instance. */
  entityId: number
  /** Kind of the event, such as `member_created`. */
  eventName: string
  /** What happened, who did it and to what. */
  details: AuditDetails
  /** When the change was made: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}
