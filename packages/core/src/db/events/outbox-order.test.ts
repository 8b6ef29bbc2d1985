import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/property-runs.ts'
import type { OutboxBatch } from './outbox.ts'
import { createOutboxOrder } from './outbox-consumer.ts'

interface Transaction {
  readonly id: bigint
  /** The ids of its events, allocated before it ends. */
  readonly events: readonly number[]
}

type Step =
  | { readonly kind: 'begin'; readonly events: 0 | 1 | 2 }
  | { readonly kind: 'allocate' | 'commit' | 'rollback'; readonly which: number }
  | { readonly kind: 'read' }

/** The outbox of a database with running transactions. */
const createDatabase = () => {
  let nextTransaction = 700n
  let nextEvent = 1
  const begun: (Omit<Transaction, 'events'> & { readonly count: number })[] = []
  const allocated: Transaction[] = []
  const committed: number[] = []
  const take = <T>(list: T[], which: number) => list.splice(which % (list.length || 1), 1)
  return {
    committed,
    begin: (count: number) => void begun.push({ id: nextTransaction++, count }),
    allocate(which: number) {
      for (const { id, count } of take(begun, which)) {
        allocated.push({ id, events: Array.from({ length: count }, () => nextEvent++) })
      }
    },
    end(which: number, commits: boolean) {
      for (const { events } of take(allocated, which)) if (commits) committed.push(...events)
    },
    endAll() {
      while (begun.length) this.allocate(0)
      while (allocated.length) this.end(0, true)
    },
    read(position: number): OutboxBatch | undefined {
      const later = committed.filter((id) => id > position).sort((a, b) => a - b)
      const rows = later.slice(0, 4).map((id) => ({ id, name: 'label.created', payload: '{}' }))
      const running = [...begun, ...allocated].map(({ id }) => id)
      const [oldestRunning = nextTransaction] = running.toSorted((a, b) => Number(a - b))
      return rows.length ? { rows, oldestRunning, nextTransaction, isLast: later.length <= 4 } : undefined
    },
  }
}

const which = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), events: fc.constantFrom(0 as const, 1 as const, 2 as const) }),
  fc.record({ kind: fc.constantFrom('allocate' as const, 'commit' as const), which }),
  fc.record({ kind: fc.constantFrom('allocate' as const, 'commit' as const, 'rollback' as const), which }),
  fc.record({ kind: fc.constant('read' as const) }),
)

test('every committed event is accepted once, in the order of the ids', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const database = createDatabase()
      const order = createOutboxOrder(0)
      const received: number[] = []
      const read = () => {
        const batch = database.read(order.position)
        received.push(...(batch ? order.accept(batch).accepted.map(({ id }) => id) : []))
        return batch
      }
      for (const action of steps) {
        if (action.kind === 'begin') database.begin(action.events)
        else if (action.kind === 'allocate') database.allocate(action.which)
        else if (action.kind === 'read') read()
        else database.end(action.which, action.kind === 'commit')
      }
      database.endAll()
      while (read());
      expect(received).toEqual(database.committed.toSorted((a, b) => a - b))
    }),
    propertyRuns(500),
  )
})

test('events after a missing id wait only for transactions that were running', () => {
  const order = createOutboxOrder(0)
  const row = (id: number) => ({ id, name: 'label.created', payload: '{}' })
  const read = (ids: number[], oldestRunning: bigint, nextTransaction: bigint) => {
    const { accepted, isWaiting } = order.accept({ rows: ids.map(row), oldestRunning, nextTransaction, isLast: true })
    return [accepted.map(({ id }) => id), isWaiting]
  }
  expect(read([1, 3], 5n, 8n)).toEqual([[1], true])
  expect(read([3, 4], 7n, 20n)).toEqual([[], true])
  // Transaction 8 began later, so that id 2 is of none.
  expect(read([3, 4], 8n, 30n)).toEqual([[3, 4], false])
  expect(read([6], 30n, 30n)).toEqual([[6], false])
})
