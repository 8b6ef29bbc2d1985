import type { EventConsumer } from '../../kernel/event-feed.ts'
import type { Outbox, OutboxBatch, OutboxRow, RunStatement } from './outbox.ts'

/**
 * Decides which events of a batch may be delivered. Ids ascend in the order in which dependent transactions run, but a
 * transaction with a lower id can commit later than one with a higher id. The events after a missing id therefore wait until
 * every transaction has ended that was running when an event with a higher id became visible: one of them may own the missing
 * id. If the id is then still missing, its transaction was rolled back.
 *
 * Every transaction with an event has its transaction id before it allocates the id of the event (`db/events/outbox.ts`).
 */
export const createOutboxOrder = (initial: number) => {
  let position = initial
  /** Ids below `below` can only belong to transactions with an id below `transaction`. */
  let bound = { below: 0, transaction: 0n }
  return {
    /** All events with this id or a lower one were accepted or do not exist. */
    get position() {
      return position
    },
    /** Returns the events to deliver, and whether the rest of the batch waits for running transactions. */
    accept({ rows, oldestRunning, nextTransaction }: OutboxBatch): {
      readonly accepted: readonly OutboxRow[]
      readonly isWaiting: boolean
    } {
      const newest = rows.at(-1)?.id ?? 0
      const accepted: OutboxRow[] = []
      for (const row of rows) {
        if (row.id !== position + 1) {
          if (row.id > bound.below) bound = { below: newest, transaction: nextTransaction }
          if (oldestRunning < bound.transaction) return { accepted, isWaiting: true }
        }
        position = row.id
        accepted.push(row)
      }
      return { accepted, isWaiting: false }
    },
  }
}

interface ConsumerOptions {
  readonly outbox: Outbox
  readonly run: RunStatement
  readonly consumer: EventConsumer
  /** The name under which the position is stored; undefined stores none. */
  readonly name: string | undefined
  /** The position of an unnamed consumer before the connection was lost. */
  readonly position: number | undefined
}

/** What the next read has to wait for: nothing, running transactions, or new events. */
type Outcome = 'more' | 'waiting' | 'none'

export interface OpenedConsumer {
  /** All events with this id or a lower one were delivered. */
  readonly position: number
  /** Delivers the next events and waits for their listeners. */
  deliverNext(): Promise<Outcome>
}

/** Ids before the newest one in which transactions may still be running at the start. */
const startWindow = 1_000
/** Milliseconds that delivery waits for the listeners of a batch. */
const listenerTimeout = 60_000

/**
 * The position of a consumer without one: the newest event. Transactions with lower ids may commit later, so the position is
 * before the first missing id, and the events that exist already are skipped.
 */
const findStart = async (outbox: Outbox, run: RunStatement) => {
  const ids = await outbox.readNewestIds(run, startWindow)
  const [first] = ids
  if (first === undefined) return { position: await outbox.readLatestId(run), skipped: new Set<number>() }
  const contiguous = ids.findIndex((id, index) => id !== first + index)
  const count = contiguous < 0 ? ids.length : contiguous
  return { position: first + count - 1, skipped: new Set(ids.slice(count)) }
}

const describeLoss = (name: string | undefined) =>
  `Events were deleted before ${name === undefined ? 'this process' : `the consumer "${name}"`} received them: ` +
  'read the current data, and set a longer retention'

const findPosition = async ({ outbox, run, consumer, name, position }: ConsumerOptions) => {
  const known = name === undefined ? position : await outbox.readPosition(run, name)
  if (known === undefined) return findStart(outbox, run)
  const skipped = new Set<number>()
  const deleted = (await outbox.readDeletedId(run)) ?? 0
  if (known < deleted) {
    await consumer.onError(new Error(describeLoss(name)), 'events')
    return { position: deleted, skipped }
  }
  // A restored backup, or a standby that took over without the last commits, allocates ids again.
  return { position: Math.min(known, await outbox.readLatestId(run)), skipped }
}

/** Opens a consumer at its stored position, or at the newest event. */
export const openConsumer = async (options: ConsumerOptions): Promise<OpenedConsumer> => {
  const { outbox, run, consumer, name } = options
  const start = await findPosition(options)
  const order = createOutboxOrder(start.position)
  const savePosition = async () => {
    if (name !== undefined) await outbox.writePosition(run, name, order.position)
  }
  await savePosition()

  /** A listener that does not end must not stop the events for ever. */
  const waitForListeners = async (running: readonly Promise<void>[]) => {
    const { promise: timeout, resolve } = Promise.withResolvers<'timeout'>()
    const timer = setTimeout(() => resolve('timeout'), listenerTimeout)
    timer.unref()
    const result = await Promise.race([Promise.all(running), timeout])
    clearTimeout(timer)
    if (result !== 'timeout') return
    const message = `Listeners did not end within ${listenerTimeout / 1_000} seconds: delivery of events continues without them`
    await consumer.onError(new Error(message), 'events')
  }

  return {
    get position() {
      return order.position
    },
    async deliverNext() {
      const names = consumer.getNames()
      const batch = await outbox.read(run, order.position, names)
      if (!batch) return 'none'
      const { accepted, isWaiting } = order.accept(batch)
      const running: Promise<void>[] = []
      for (const { id, name: event, payload } of accepted) {
        // An event without a payload had no subscriber when it was read.
        if (payload === undefined || start.skipped.delete(id)) continue
        running.push(...consumer.deliver({ name: event, payload: JSON.parse(payload) }))
      }
      if (running.length) await waitForListeners(running)
      if (accepted.length) await savePosition()
      if (isWaiting) return 'waiting'
      return batch.isLast ? 'none' : 'more'
    },
  }
}
