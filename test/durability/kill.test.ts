import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'

const rounds = 6
const writers = 4

/** Repeatable, so that a failure can be run again with its seed. */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const headers = { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json' }

/** What the clients know: names whose creation was answered, and names that were sent and never answered. */
interface Journal {
  readonly acknowledged: Set<string>
  readonly open: Set<string>
}

/** Creates one label after the other until the server is gone. Each is two rows: the label and its priority. */
const write = async (url: string, prefix: string, journal: Journal): Promise<void> => {
  for (let count = 0; ; count++) {
    const name = `${prefix}-${count}`
    journal.open.add(name)
    try {
      const response = await fetch(`${url}/api/v4/projects/acme%2Fweb/labels`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name, color: 'teal', priority: count }),
      })
      if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    } catch (error) {
      // A connection that breaks is what this is about; an answer that is a refusal is not.
      if (error instanceof TypeError) return
      throw error
    }
    // The status line is the promise, whether or not the rest of the reply gets through.
    journal.open.delete(name)
    journal.acknowledged.add(name)
  }
}

const stored = async (url: string) => {
  const found = new Map<string, number | null>()
  for (let page = 1; ; page++) {
    const response = await fetch(`${url}/api/v4/projects/acme%2Fweb/labels?per_page=100&page=${page}`, { headers })
    const labels = (await response.json()) as { name: string; priority: number | null }[]
    for (const { name, priority } of labels) found.set(name, priority)
    if (labels.length < 100) return found
  }
}

it('loses no acknowledged write and keeps no half of one when it is killed in the middle of them', async () => {
  const seed = Date.now() % 2 ** 32
  const random = randomOf(seed)
  const journal: Journal = { acknowledged: new Set(), open: new Set() }
  const args = ['--data', 'killed.db', '--seed', 'demo', '--log-level', 'silent']
  const about = `seed ${seed}`

  for (let round = 1; round <= rounds; round++) {
    const { url, child, ended } = await serving(args)
    const before = journal.acknowledged.size
    const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(url, `r${round}-w${writer}`, journal)))
    await pause(100 + random() * 500)
    child.kill('SIGKILL')
    await all
    expect((await ended).code, about).toBeNull()
    expect(journal.acknowledged.size - before, `${about}: nothing was written in round ${round}`).toBeGreaterThan(0)
    expect(journal.open.size, about).toBeLessThanOrEqual(round * writers)
  }

  const { url, stop } = await serving(args)
  const labels = await stored(url)
  expect(
    [...journal.acknowledged].filter((name) => !labels.has(name)),
    `${about}: lost`,
  ).toEqual([])
  const written = [...labels].filter(([name]) => /^r\d/.test(name))
  const known = written.filter(([name]) => journal.acknowledged.has(name) || journal.open.has(name))
  expect(known, `${about}: nobody asked for others`).toHaveLength(written.length)
  const halves = written.filter(([name, priority]) => priority !== Number(name.split('-').at(-1)))
  expect(halves, `${about}: half written`).toEqual([])
  expect((await stop()).code).toBe(0)

  const file = new Database(join(folder, 'killed.db'), { readonly: true })
  expect(file.pragma('integrity_check', { simple: true }), about).toBe('ok')
  expect(file.pragma('foreign_key_check'), about).toEqual([])
  file.close()
  console.log(
    `${rounds} kills, ${journal.acknowledged.size} acknowledged, ${journal.open.size} unanswered, all accounted for`,
  )
}, 60_000)
