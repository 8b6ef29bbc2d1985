import type { Database } from '../contract/database.ts'
import type { Signals } from '../contract/signals.ts'
import { readColumn } from '../db/read-column.ts'
import type { NewAuditEvent } from '../features/administration/audit-events/insert-events.ts'
import type { Context } from '../kernel/context.ts'
import type { MaybePromise } from '../kernel/store.ts'
import {
  type AuditEntry,
  type AuditedCall,
  auditEvent,
  type EventName,
  entityOf,
  entityTarget,
  isAccount,
  nameFor,
  readAccount,
  readField,
  toReference,
  toTarget,
  toText,
  userEntity,
} from './entry.ts'

interface TargetOptions {
  /** Kind of the target. */
  readonly type: string
  /** Field with the name of the target. Default: `name`. */
  readonly name?: string
}

/** A new thing, which is the result of the operation. */
export const created = (
  event: EventName,
  customMessage: string,
  { type, name = 'name' }: TargetOptions,
): AuditEntry => ({
  describe: (call) => [
    auditEvent(nameFor(event, call.subject.kind), entityOf(call), toTarget(type, call.result, name), { customMessage }),
  ],
})

/** A thing that an input names by name. */
export const named = (event: EventName, customMessage: string, { type, name = 'name' }: TargetOptions): AuditEntry => ({
  describe: (call) => [
    auditEvent(
      nameFor(event, call.subject.kind),
      entityOf(call),
      { type, id: null, name: toText(call.fields[name]) },
      { customMessage },
    ),
  ],
})

interface RowOptions<Table extends keyof Database> {
  readonly type: string
  readonly table: Table
  /** Field of the input with the id of the row. */
  readonly field: string
  /** Column with the name of the target. */
  readonly column: keyof Database[Table] & string
}

const readTarget =
  <Table extends keyof Database>({ table, field, column }: RowOptions<Table>) =>
  async ({ ctx, fields }: Pick<AuditedCall, 'ctx' | 'fields'>) => {
    const id = fields[field]
    if (typeof id !== 'number') return undefined
    return { id, name: await readColumn(ctx, table, id, column) }
  }

/** A thing that an input names by id, which is read before it changes or disappears. */
export const existing = <Table extends keyof Database>(
  event: EventName,
  customMessage: string,
  options: RowOptions<Table>,
): AuditEntry => ({
  read: readTarget(options),
  describe: (call) => [
    auditEvent(nameFor(event, call.subject.kind), entityOf(call), toTarget(options.type, call.before, 'name'), {
      customMessage,
    }),
  ],
})

/** A change of the subject itself. */
export const ofSubject = (
  event: EventName | ((call: AuditedCall) => EventName),
  customMessage: string,
): AuditEntry => ({
  describe: (call) => {
    const entity = entityOf(call)
    const name = nameFor(typeof event === 'function' ? event(call) : event, call.subject.kind)
    return [auditEvent(name, entity, entityTarget(entity), { customMessage })]
  },
})

interface AccountOptions<Table extends keyof Database> {
  /** What changed; omitted for the account itself. */
  readonly created?: TargetOptions
  readonly removed?: RowOptions<Table>
}

/** A change of a user's account, or of something that belongs to it. */
export const ofAccount = <Table extends keyof Database>(
  event: string,
  customMessage: string,
  { created, removed }: AccountOptions<Table> = {},
): AuditEntry => ({
  isImmediate: true,
  read: async (call) => ({ account: await readAccount(call), target: removed && (await readTarget(removed)(call)) }),
  describe({ before, result }) {
    const account = readField(before, 'account')
    if (!isAccount(account)) return []
    const entity = userEntity(account)
    if (created)
      return [auditEvent(event, entity, toTarget(created.type, result, created.name ?? 'name'), { customMessage })]
    const target = removed ? toTarget(removed.type, readField(before, 'target'), 'name') : entityTarget(entity)
    return [auditEvent(event, entity, target, { customMessage })]
  },
})

/** A change that a signal announces. */
export const announced = <N extends keyof Signals>(
  signal: N,
  describe: (payload: Signals[N], call: AuditedCall) => MaybePromise<readonly NewAuditEvent[]>,
): AuditEntry => ({ signal, describe: (call) => describe(call.result as Signals[N], call) })

interface ReferenceOptions {
  readonly type: string
  /** Field of the input with an id or a path. */
  readonly field: string
  readonly find: (ctx: Context, reference: number | string) => MaybePromise<unknown>
}

/** Something with a path that an input names. */
export const referenced = (
  event: EventName,
  customMessage: string,
  { type, field, find }: ReferenceOptions,
): AuditEntry => ({
  read({ ctx, fields }) {
    const reference = toReference(fields[field])
    return reference === undefined ? undefined : find(ctx, reference)
  },
  describe: (call) => [
    auditEvent(nameFor(event, call.subject.kind), entityOf(call), toTarget(type, call.before, 'fullPath'), {
      customMessage,
    }),
  ],
})

/** Several entries about one call. Only the first one reads before. */
export const together = (first: AuditEntry, ...others: readonly AuditEntry[]): AuditEntry => ({
  ...first,
  async describe(call) {
    const events: NewAuditEvent[] = []
    for (const entry of [first, ...others]) events.push(...(await entry.describe(call)))
    return events
  },
})
