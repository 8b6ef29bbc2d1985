import type { OutboxBatch, OutboxRow } from './outbox.ts'

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
