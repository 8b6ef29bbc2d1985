import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../../db/sqlite/sqlite.ts'
import { createPlatform, type Platform } from '../../../platform.ts'
import { demo } from '../../../seed/demo.ts'
import { seed } from '../../../seed/seed.ts'

/** SQL texts with their parameter values inlined. */
const executedStatements: string[] = []
let file: Database.Database
let platform: Platform
beforeAll(async () => {
  file = new Database(':memory:', { verbose: (text) => void executedStatements.push(String(text)) })
  platform = createPlatform(sqlite(file))
  await seed(platform, demo)
})
afterAll(async () => {
  await platform.close()
  file.close()
})

const explainQueryPlan = (text: string | undefined) =>
  file.prepare(`explain query plan ${text}`).all() as { readonly detail: string }[]

const project = 'acme/web'

test('finds expired events by the index on their time', async () => {
  await platform.as({ system: 'test' }).events.create({ project, ref: 'x', after: 'a'.repeat(40), author: 'bob' })
  executedStatements.length = 0
  await platform.jobs.drain()
  const [removal] = executedStatements.filter((text) => text.startsWith('delete from "event"'))
  const plan = explainQueryPlan(removal)
  expect(plan.some(({ detail }) => detail.includes('event_created_at'))).toBe(true)
  expect(plan.filter(({ detail }) => /^SCAN event\b/.test(detail) && !detail.includes('event_created_at'))).toEqual([])
})
