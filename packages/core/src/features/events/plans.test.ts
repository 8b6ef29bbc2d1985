import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../db/sqlite.ts'
import { createPlatform, type Platform, type Session } from '../../platform.ts'
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

interface Step {
  /** 0 for a step of the query itself. */
  readonly parent: number
  readonly detail: string
}

const planOf = (text: string | undefined) => file.prepare(`explain query plan ${text}`).all() as Step[]

/** How SQLite goes about the queries of one call over a table, from the outside in. */
const plansOf = async (table: string, act: (session: Session) => Promise<unknown>): Promise<Step[][]> => {
  ran.length = 0
  await act(platform.as({ user: 'bob' }))
  const queries = ran.filter((text) => /^(select|with) /.test(text) && text.includes(`from "${table}"`))
  return queries.map(planOf)
}

const project = 'acme/web'

/** A list whose page and total both cost the rows that they are about, however many others there are. */
const lists: readonly [string, string, string, (session: Session) => Promise<unknown>][] = [
  ['the feed of a project', 'event', 'event_project', ({ events }) => events.listOfProject({ project })],
  ['the feed of a user', 'event', 'event_author', ({ events }) => events.listOfUser({ user: 'carol' })],
  ['one’s own feed', 'event', 'event_author', ({ events }) => events.list({ sort: 'asc' })],
  ['pending todos', 'todo', 'todo_list', ({ todos }) => todos.list()],
  ['notes of an issue', 'note', 'note_issue_', ({ notes }) => notes.list({ project, issue: 1 })],
]

describe.each(lists)('%s', (_, table, index, act) => {
  test('is read from an index that is in order already', async () => {
    await platform.as({ user: 'carol' }).notes.create({ project, issue: 1, body: '@bob look' })
    const plans = await plansOf(table, act)
    const paged = plans.filter((plan) => plan.some(({ detail }) => detail.includes(`INDEX ${index}`)))
    // The page and its total.
    expect(paged.length).toBeGreaterThanOrEqual(2)
    for (const plan of paged) {
      expect(plan.filter(({ parent, detail }) => parent === 0 && detail.includes('TEMP B-TREE'))).toEqual([])
      // Every table that holds many rows is searched, never walked through.
      const walks = /^SCAN (event|todo|note|issue|merge_request|project|snippet|epic)\b/
      expect(plan.filter(({ detail }) => walks.test(detail))).toEqual([])
    }
  })
})

test('old events are found by their age', async () => {
  await platform.as({ system: 'test' }).events.recordPush({ project, ref: 'x', after: 'a'.repeat(40), author: 'bob' })
  ran.length = 0
  await platform.jobs.drain()
  const [removal] = ran.filter((text) => text.startsWith('delete from "event"'))
  const plan = planOf(removal)
  expect(plan.some(({ detail }) => detail.includes('event_created_at'))).toBe(true)
  expect(plan.filter(({ detail }) => /^SCAN event\b/.test(detail) && !detail.includes('event_created_at'))).toEqual([])
})
