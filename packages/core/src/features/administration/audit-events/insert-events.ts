import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { AuditedType, StoredAuditDetails } from './audit-event.ts'

/** What audit events are about. */
export interface AuditedEntity {
  readonly type: AuditedType
  readonly id: number
  readonly path: string
}

type Author = Pick<StoredAuditDetails, 'authorName' | 'authorClass'>

type Change = Omit<StoredAuditDetails, keyof Author | 'ipAddress' | 'entityPath'>

/** An audit event before its author is known. */
export interface NewAuditEvent extends Change {
  readonly eventName: string
  readonly entity: AuditedEntity
}

const describeAuthor = (actor: Actor): Author => {
  switch (actor.kind) {
    case 'user':
      return { authorName: actor.name, authorClass: 'User' }
    case 'deployToken':
      return { authorName: actor.username, authorClass: 'DeployToken' }
    case 'scim':
      return { authorName: 'SCIM', authorClass: 'ScimToken' }
    case 'system':
      return { authorName: 'System', authorClass: 'System' }
    default:
      return { authorName: 'An unauthenticated user', authorClass: 'Unauthenticated' }
  }
}

/** Records audit events of the current user, with one statement. */
export const insertAuditEvents = async (ctx: Context, events: readonly NewAuditEvent[]): Promise<void> => {
  if (!events.length) return
  const { actor, call, now: createdAt, db } = ctx
  const authorId = actor.kind === 'user' ? actor.id : null
  const shared = { ...describeAuthor(actor), ipAddress: call.ipAddress ?? null }
  const rows = events.map(({ eventName, entity, ...change }) => ({
    authorId,
    entityType: entity.type,
    entityId: entity.id,
    eventName,
    details: { ...change, ...shared, entityPath: entity.path },
    createdAt,
  })) satisfies CompleteRow<'auditEvent'>[]
  await db.insertInto('auditEvent').values(rows).execute()
}
