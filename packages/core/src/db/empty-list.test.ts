import { expect, test } from 'vitest'
import { emptyStore } from '../../../../test/world.ts'

test('nothing is in an empty list, on either database', async () => {
  const store = await emptyStore()
  await store.write(({ db }) =>
    db
      .insertInto('topic')
      .values({ name: 'a', title: 'A', description: null, avatarUrl: null, createdAt: '2030' })
      .execute(),
  )
  const ids: number[] = []
  const find = (operator: 'in' | 'not in') =>
    store.read(({ db }) => db.selectFrom('topic').where('id', operator, ids).select('name').execute())
  expect([await find('in'), await find('not in')]).toEqual([[], [{ name: 'a' }]])
  await store.close()
})
