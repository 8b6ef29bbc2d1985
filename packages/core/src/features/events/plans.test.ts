import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../db/sqlite.ts'
import { createPlatform, type Platform } from '../../platform.ts'
import { demo } from '../../seed/demo.ts'
import { plant } from '../../seed/seed.ts'

/** Everything that runs, its values written into the text. */
const ran: string[] = []
let file: Database.Database
let platform: Platform
beforeAll(async () => {
  file = new Database(':memory:', { verbose: (text) => void ran.push(String(text)) })
  platform = createPlatform(sqlite(file))
  await plant(platform, demo)
})
afterAll(async () => {
  await platform.close()
  file.close()
})

const planOf = (text: string | undefined) =>
  file.prepare(`explain query plan ${text}`).all() as { readonly detail: string }[]

const project = 'acme/web'

test('old events are found by their age', async () => {
  await platform.as({ system: 'test' }).events.recordPush({ project, ref: 'x', after: 'a'.repeat(40), author: 'bob' })
  ran.length = 0
  await platform.jobs.drain()
  const [removal] = ran.filter((text) => text.startsWith('delete from "event"'))
  const plan = planOf(removal)
  expect(plan.some(({ detail }) => detail.includes('event_created_at'))).toBe(true)
  expect(plan.filter(({ detail }) => /^SCAN event\b/.test(detail) && !detail.includes('event_created_at'))).toEqual([])
})
