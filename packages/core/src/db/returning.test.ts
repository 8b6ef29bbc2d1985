import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyStore } from '../../../../test/world.ts'
import type { Store } from '../kernel/store.ts'
import type { CompleteRow } from './complete-row.ts'

let store: Store
beforeEach(async () => {
  store = await emptyStore()
})
afterEach(() => store.close())

const topics = ['a', 'b', 'c'].map(
  (name) =>
    ({ name, title: name, description: null, avatarUrl: null, createdAt: '2030' }) satisfies CompleteRow<'topic'>,
)

const readTitles = () =>
  store.read(async ({ db }) =>
    (await db.selectFrom('topic').orderBy('id').select('title').execute()).map(({ title }) => title),
  )

test('a statement with `returning` changes all its rows, whether one or all of them are taken', async () => {
  const inserted = await store.write(({ db }) =>
    db.insertInto('topic').values(topics).returning(['id', 'name']).executeTakeFirstOrThrow(),
  )
  expect(inserted).toEqual({ id: 1, name: 'a' })
  const updated = await store.write(({ db }) =>
    db.updateTable('topic').set({ title: 'x' }).where('id', '>', 1).returning('title').executeTakeFirst(),
  )
  expect(updated).toEqual({ title: 'x' })
  expect(await readTitles()).toEqual(['a', 'x', 'x'])
  await store.write(({ db }) => db.deleteFrom('topic').where('id', '<', 3).returning('id').executeTakeFirstOrThrow())
  expect(await readTitles()).toEqual(['x'])
  const missing = store.write(({ db }) =>
    db.deleteFrom('topic').returning('id').where('id', '=', 9).executeTakeFirstOrThrow(),
  )
  await expect(missing).rejects.toThrow('no result')
})
