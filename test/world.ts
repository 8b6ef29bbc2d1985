import { createPlatform, type PlatformOptions, postgres, type Store } from '@forgelet/core'
import { plant } from '@forgelet/core/seed'
import { type FakeForge, type FakeForgeOptions, fakeForge, type Seed } from '@forgelet/fixtures'
import pg from 'pg'
import { afterAll, inject } from 'vitest'

/** Databases with a planted seed, made once a worker and then copied. */
const templates = new Map<Seed, Promise<string>>()
let count = 0

const name = () => `world_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${++count}`

let administration: pg.Pool | undefined

const run = async (url: string, sql: string) => {
  administration ??= new pg.Pool({ connectionString: `${url}/postgres`, max: 1 })
  await administration.query(sql)
}

afterAll(async () => {
  await administration?.end()
  administration = undefined
  templates.clear()
})

const makeTemplate = async (url: string, seed: Seed, options: PlatformOptions) => {
  const template = name()
  await run(url, `create database ${template}`)
  const store = postgres(`${url}/${template}`, { connections: 1 })
  await plant(createPlatform(store, options), seed)
  await store.close()
  return template
}

const openPostgres =
  (url: string) =>
  async (seed: Seed, options: PlatformOptions): Promise<Store> => {
    const template = templates.get(seed) ?? makeTemplate(url, seed, options)
    templates.set(seed, template)
    const database = name()
    await run(url, `create database ${database} template ${await template}`)
    const store = postgres(`${url}/${database}`, { connections: 4 })
    return {
      ...store,
      async close() {
        await store.close()
        await run(url, `drop database ${database} with (force)`)
      },
    }
  }

/** The database that this run of the tests is about. */
export const dialect = inject('postgresUrl') === undefined ? 'sqlite' : 'postgres'

/**
 * A fresh world, on the database that this run is about. Every test file that imports this one runs twice: on SQLite and
 * on PostgreSQL.
 */
export function world(options: FakeForgeOptions = {}): Promise<FakeForge> {
  const url = inject('postgresUrl')
  return fakeForge(url === undefined ? options : { openStore: openPostgres(url), ...options })
}
