import { createRequire } from 'node:module'
import { createPlatform, sqlite } from '@forgelet/core'
import { fakeForge } from '@forgelet/fixtures'
import type Sqlite from 'better-sqlite3'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Table } from '../table.ts'

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite

const rounds = 60

const migrated = async () => {
  const store = sqlite(':memory:', { durability: 'process' })
  await createPlatform(store).ready()
  return store
}

const milliseconds = async (work: () => Promise<() => unknown>): Promise<number> => {
  const start = performance.now()
  const close = await work()
  const elapsed = performance.now() - start
  await close()
  return elapsed
}

/** A new forge compared with copying the bytes of a database and with running the migrations. */
export async function fixture(): Promise<Table[]> {
  const store = await migrated()
  const image = store.serialize()
  await store.close()
  const variants = {
    /** Until the first call can be made. */
    world: async () => (await fakeForge()).close,
    call: async () => {
      const forge = await fakeForge()
      await forge.as('alice').labels.list({ project: 'acme/web' })
      return forge.close
    },
    raw: async () => {
      const file = new Database(image)
      file.prepare('select id from project where id = 1').get()
      return () => file.close()
    },
    migration: async () => (await migrated()).close,
  }
  const names = ['world', 'call', 'raw', 'migration'] as const
  const times = await alternate(names, rounds, (name) => milliseconds(variants[name]))
  const warm = (name: (typeof names)[number]) => times[name].slice(5)
  const world = median(warm('world'))
  const overRaw = pairedRatio(warm('world'), warm('raw'))
  const underMigration = pairedRatio(warm('migration'), warm('world'))
  return [
    {
      title: 'A new forge',
      columns: ['ms', 'ratio'],
      lines: [
        atMost('second and later forges', [world, ''], world, 1, { unit: 'ms' }),
        { what: 'including a first call', values: [median(warm('call')), ''] },
        { what: 'raw copy of a database, including a first query', values: [median(warm('raw')), ''] },
        { what: 'running the migrations', values: [median(warm('migration')), ''] },
        atMost('compared with the raw copy', ['', overRaw], overRaw, 1.3, {
          reference: 'opening a copy of the image and one query',
        }),
        atLeast('compared with the migrations', ['', underMigration], underMigration, 6, {
          reference: 'running all migrations on an empty database',
        }),
      ],
    },
  ]
}
