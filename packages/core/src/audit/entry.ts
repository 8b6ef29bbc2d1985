import type { Signals } from '../contract/signals.ts'
import type { Subjects } from '../contract/subjects.ts'
import { findUserIfKnown } from '../features/accounts/users/queries.ts'
import type { AuditedEntity, NewAuditEvent } from '../features/administration/audit-events/insert-events.ts'
import type { Context } from '../kernel/context.ts'
import type { MaybePromise } from '../kernel/store.ts'

type Kind = keyof Subjects

/** A call of an audited operation. */
export interface AuditedCall {
  readonly ctx: Context
  readonly fields: Readonly<Record<string, unknown>>
  readonly subject: Subjects[Kind]
  /** What the entry read before the operation ran. */
  readonly before: unknown
  /** The result of the operation, or the payload of the signal. */
  readonly result: unknown
}

/** What changed. */
export interface AuditedTarget {
  readonly type: string
  readonly id: number | null
  readonly name: string | null
}

/** A call whose operation has not run. */
export type CallBefore = Omit<AuditedCall, 'before' | 'result'>

/** How the calls of an operation are recorded. */
export interface AuditEntry {
  /** Reads what the operation changes or removes. */
  readonly read?: (call: CallBefore) => MaybePromise<unknown>
  readonly describe: (call: AuditedCall) => MaybePromise<readonly NewAuditEvent[]>
  /** The signal that announces the change, with its payload as the result: for operations that continue after their transaction. */
  readonly signal?: keyof Signals
  /** Whether the first transaction makes the change, without a result, and later work completes it. */
  readonly isImmediate?: true
}

/** One name, or a name for each kind of subject. */
export type EventName = string | { readonly [K in Kind]?: string }

export const nameFor = (names: EventName, kind: Kind): string =>
  typeof names === 'string' ? names : (names[kind] ?? Object.values(names).at(-1) ?? '')

/** A field of a value of unknown type. */
export const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

export const toText = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

const toId = (value: unknown) => (typeof value === 'number' ? value : null)

export const toReference = (value: unknown): number | string | undefined =>
  typeof value === 'number' || typeof value === 'string' ? value : undefined

/** The instance, with the id and path that clients of the GitLab API know. */
export const theInstance: AuditedEntity = { type: 'Gitlab::Audit::InstanceScope', id: 1, path: 'gitlab_instance' }

export const projectEntity = ({ id, fullPath }: { readonly id: number; readonly fullPath: string }): AuditedEntity => ({
  type: 'Project',
  id,
  path: fullPath,
})

export const groupEntity = (group: { readonly id: number; readonly fullPath: string }): AuditedEntity => ({
  ...projectEntity(group),
  type: 'Group',
})

export const userEntity = ({ id, username }: { readonly id: number; readonly username: string }): AuditedEntity => ({
  type: 'User',
  id,
  path: username,
})

/** The project or group of a subject; the instance for others. */
export const entityOf = ({ subject }: Pick<AuditedCall, 'subject'>): AuditedEntity => {
  if ('project' in subject && subject.project) return projectEntity(subject.project)
  return 'group' in subject ? groupEntity(subject.group) : theInstance
}

/** What an entity is, as the target of its own events. */
export const entityTarget = ({ type, id, path }: AuditedEntity): AuditedTarget => ({ type, id, name: path })

/** A value as a target; `name` is the field with its name. */
export const toTarget = (type: string, value: unknown, name: string): AuditedTarget => ({
  type,
  id: toId(readField(value, 'id')),
  name: toText(readField(value, name)),
})

/** An audit event about a target. */
export const auditEvent = (
  eventName: string,
  entity: AuditedEntity,
  { type, id, name }: AuditedTarget,
  change: Pick<NewAuditEvent, 'customMessage'> | Pick<NewAuditEvent, 'change' | 'from' | 'to'>,
): NewAuditEvent => ({ eventName, entity, ...change, targetId: id, targetType: type, targetDetails: name })

/** The user that an input names, or the current user. */
export const readAccount = ({ ctx, fields }: CallBefore): MaybePromise<unknown> => {
  const { actor } = ctx
  const reference = toReference(fields.user)
  if (reference !== undefined) return findUserIfKnown(ctx, reference)
  return actor.kind === 'user' ? { id: actor.id, username: actor.username } : undefined
}

export const isAccount = (value: unknown): value is { readonly id: number; readonly username: string } =>
  typeof readField(value, 'id') === 'number' && typeof readField(value, 'username') === 'string'
