import type { Generated } from 'kysely'
import type { AuditedType, StoredAuditDetails } from './audit-event.ts'

export interface AuditEventTables {
  /** A record of who changed what. References nothing: it outlives its author and its entity. */
  auditEvent: {
    id: Generated<number>
    /** Null if no user made the change. */
    authorId: number | null
    entityType: AuditedType
    entityId: number
    eventName: string
    details: StoredAuditDetails
    createdAt: string
  }
}
