import type { Generated } from 'kysely'

export interface OutboxTables {
  /** Domain events that were committed with `events: true`. Rows are deleted after a time. */
  signalOutbox: {
    /** Ascending for events of transactions that ran one after another; not without gaps. */
    id: Generated<number>
    name: string
    /** JSON. Not a JSON column, because PostgreSQL would parse it. */
    payload: string
    createdAt: string
  }
  /** How far each named consumer has received the events. The row with an empty name contains the last deleted event. */
  signalConsumer: {
    name: string
    /** All events with this id or a lower one were delivered. */
    position: number
    updatedAt: string
  }
}
