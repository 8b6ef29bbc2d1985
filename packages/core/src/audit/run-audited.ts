import type { Subjects } from '../contract/subjects.ts'
import { insertAuditEvents } from '../features/administration/audit-events/insert-events.ts'
import { features } from '../features.ts'
import type { Context } from '../kernel/context.ts'
import { type Deferred, isDeferred, mapWrites } from '../kernel/deferred.ts'
import type { Operation } from '../kernel/operation.ts'
import { chain, type MaybePromise } from '../kernel/store.ts'
import type { AuditEntry } from './entry.ts'
import { auditTable } from './table.ts'

/** An operation, or undefined for a name that does not exist. */
const findOperation = (name: string): Operation | undefined => {
  const [family = '', operation = ''] = name.split('.')
  const table: Readonly<Record<string, Readonly<Record<string, Operation>>>> = features
  return table[family]?.[operation]
}

const entries = new Map<Operation | undefined, AuditEntry>(
  Object.entries(auditTable).map(([name, entry]) => [findOperation(name), entry]),
)

/** How the calls of an operation are recorded; undefined if they are not. */
export const findAuditEntry = (operation: Operation): AuditEntry | undefined => entries.get(operation)

interface Admitted {
  readonly context: Context
  readonly fields: Readonly<Record<string, unknown>>
  readonly subject: Subjects[keyof Subjects]
}

/** Runs an operation, and records it in the transaction that makes the change. */
export const runAudited = async <Out>(
  entry: AuditEntry,
  operation: Operation<unknown, Out>,
  { context, fields, subject }: Admitted,
): Promise<Out | Deferred<Out>> => {
  const { signal } = entry
  const record = (ctx: Context, before: unknown, result: unknown) =>
    chain(entry.describe({ ctx, fields, subject, before, result }), (events) => insertAuditEvents(ctx, events))
  if (signal !== undefined) {
    const listen = (ctx: Context): Context => ({
      ...ctx,
      actAs: (actor) => listen(ctx.actAs(actor)),
      async emit(name, payload) {
        await ctx.emit(name, payload)
        if (name === signal) await record(ctx, undefined, payload)
      },
    })
    const outcome = await operation.run(listen(context), fields, subject)
    return isDeferred(outcome) ? mapWrites(outcome, (work) => (ctx) => work(listen(ctx))) : outcome
  }
  const before = await entry.read?.({ ctx: context, fields, subject })
  const outcome = await operation.run(context, fields, subject)
  if (!isDeferred(outcome) || entry.isImmediate) {
    await record(context, before, isDeferred(outcome) ? undefined : outcome)
    return outcome
  }
  return mapWrites(
    outcome,
    recordFirst((ctx, result) => record(ctx, before, result)),
  )
}

/** Records the first of several transactions, with its result. */
const recordFirst = (record: (ctx: Context, result: unknown) => MaybePromise<void>) => {
  let isRecorded = false
  return <T>(work: (ctx: Context) => MaybePromise<T>) => {
    if (isRecorded) return work
    isRecorded = true
    // The transaction can run several times.
    return async (ctx: Context): Promise<T> => {
      const result = await work(ctx)
      await record(ctx, result)
      return result
    }
  }
}
