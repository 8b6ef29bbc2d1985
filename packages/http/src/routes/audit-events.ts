import { type AuditDetails, type AuditEvent, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { auditEvents } = features

/** What happened, who did it and to what. */
const AuditDetailsWire = wire<AuditDetails>('AuditEventDetails')({
  custom_message: v.optional(v.string()),
  change: v.optional(v.string()),
  from: v.optional(NullableText),
  to: v.optional(NullableText),
  author_name: v.string(),
  author_class: v.string(),
  author_email: NullableText,
  target_id: NullableInteger,
  target_type: v.string(),
  target_details: NullableText,
  ip_address: NullableText,
  entity_path: v.string(),
})

/** Who changed what. */
const AuditEventWire = wire<AuditEvent>('AuditEvent')({
  id: Integer,
  /** Id of the user who made the change; -1 if no user did. */
  author_id: computed(Integer, ({ authorId }: AuditEvent) => authorId ?? -1),
  entity_id: Integer,
  entity_type: v.string(),
  event_name: v.string(),
  details: AuditDetailsWire,
  created_at: DateTime,
})

const ofInstance = { extension: true, hidden: ['project', 'group'] } satisfies RouteOptions
const ofPlace = { extension: true, hidden: ['entityType', 'entityId'] } satisfies RouteOptions
const named = { names: { audit_event_id: 'auditEvent' } } satisfies RouteOptions

export const auditEventRoutes = [
  route('GET /audit_events', auditEvents.list, page(AuditEventWire), ofInstance),
  route('GET /audit_events/:id', auditEvents.get, one(AuditEventWire), { ...ofInstance, names: { id: 'auditEvent' } }),
  route('GET /groups/:id/audit_events', auditEvents.list, page(AuditEventWire), ofPlace),
  route('GET /groups/:id/audit_events/:audit_event_id', auditEvents.get, one(AuditEventWire), {
    extension: true,
    ...named,
  }),
  route('GET /projects/:id/audit_events', auditEvents.list, page(AuditEventWire), ofPlace),
  route('GET /projects/:id/audit_events/:audit_event_id', auditEvents.get, one(AuditEventWire), {
    extension: true,
    ...named,
  }),
]
