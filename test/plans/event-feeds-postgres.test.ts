import { createPlatform, type Platform, postgres } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'

interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

const executed: Statement[] = []

/** Records the statements that it executes. */
class RecordingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
  override query(...args: any[]): any {
    if (typeof args[0]?.text === 'string') executed.push(args[0])
    return super.query(...(args as [never]))
  }
}

const database = `plans_${process.pid}`
const project = 'acme/web'

describe.runIf(dialect === 'postgres')('event feeds on PostgreSQL', () => {
  let pool: pg.Pool
  let platform: Platform

  beforeAll(async () => {
    const url = await createDatabase(inject('postgresUrl') as string, database)
    pool = new pg.Pool({ connectionString: url, max: 2, Client: RecordingClient })
    platform = createPlatform(postgres(pool))
    await seed(platform, demo)
    await platform.as({ system: 'test' }).events.create({ project, ref: 'x', after: 'a'.repeat(40), author: 'carol' })
    // Copies of the push with other times, most of them of another project and author: enough rows for a realistic plan.
    await pool.query(`
      insert into event (project_id, author_id, action, push, created_at)
      select case when number % 10 = 0 then event.project_id else 1 + number % 3 end,
        case when number % 10 = 0 then event.author_id else 1 + number % 3 end,
        event.action, event.push,
        to_char(timestamp '2026-01-01' + number * 7919 % 10000 * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')
      from event, generate_series(1, 10000) as number where event.id = (select max(id) from event)`)
    await pool.query('analyze')
  })
  afterAll(async () => {
    await platform.close()
    await pool.end()
    await dropDatabase(inject('postgresUrl') as string, database)
  })

  const events = () => platform.as({ user: 'carol' }).events

  test.each([
    ['a project', 'event_project', (sort: 'asc' | 'desc') => events().list({ project, sort })],
    ['a user', 'event_author', (sort: 'asc' | 'desc') => events().list({ user: 'carol', sort })],
    ['the caller', 'event_author', (sort: 'asc' | 'desc') => events().list({ sort })],
  ] as const)('of %s are read in their order from an index', async (_, index, list) => {
    for (const sort of ['asc', 'desc'] as const) {
      executed.length = 0
      expect((await list(sort)).items).toHaveLength(20)
      const pages = executed.filter(({ text }) => text.includes(' offset '))
      expect(pages).toHaveLength(1)
      const [{ text, values }] = pages as [Statement]
      const { rows } = await pool.query(`explain ${text}`, [...(values ?? [])])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(new RegExp(`Index Scan (Backward )?using ${index} on event`))
      expect(plan).not.toMatch(/Sort Key: event\./)
    }
  })
})
