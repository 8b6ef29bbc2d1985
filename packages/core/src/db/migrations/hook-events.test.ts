import { expect, test } from 'vitest'
import type { MigrationDatabase } from '../schema/columns.ts'
import { createConnection } from '../sqlite/connection.ts'
import { openDatabase } from '../sqlite/file.ts'
import { migrations } from './migrations.ts'

const name = '0114_hook_events'

test('deliveries of earlier versions keep their order, payloads and results', async () => {
  const file = openDatabase(':memory:')
  const db: MigrationDatabase = createConnection(file, { prefix: '', getDataVersion: () => 0, cache: undefined }).handle
    .db
  const at = migrations.findIndex((migration) => migration.name === name)
  for (const { up } of migrations.slice(0, at)) await up(db)
  const createdAt = '2026-11-01T00:00:00.000Z'
  const hook = { scope: 'i', uuid: 'u', url: 'http://a.example', shownUrl: 'http://a.example', headerNames: [] }
  await db
    .insertInto('hook')
    .values({ ...hook, events: [], pushEventsBranchFilter: '', failures: 0, createdAt, updatedAt: createdAt })
    .execute()
  const delivery = { hookId: 1, kind: 'push', eventUuid: 'e', createdAt }
  const sent = { idempotencyKey: 'k1', payload: { n: 1 }, state: 'delivered', attempts: 1, result: { status: 200 } }
  const pending = { idempotencyKey: 'k2', payload: { n: 2 }, state: 'pending', attempts: 0, result: null }
  await db
    .insertInto('hookDelivery')
    .values([
      { ...delivery, ...sent, id: 7 },
      { ...delivery, ...pending, id: 9 },
    ])
    .execute()

  await migrations[at]?.up(db)

  const rows = await db
    .selectFrom('hookDelivery')
    .innerJoin('hookEvent', 'hookEvent.id', 'hookDelivery.eventId')
    .orderBy('hookDelivery.id')
    .select(['hookId', 'kind', 'uuid', 'payload', 'isComplete', 'createdAt', 'idempotencyKey', 'state', 'attempts'])
    .select('result')
    .execute()
  const expected = { hookId: 1, kind: 'push', uuid: 'e', createdAt }
  expect(rows).toEqual([
    { ...expected, ...sent, isComplete: true },
    { ...expected, ...pending, isComplete: false },
  ])
  file.close()
})
