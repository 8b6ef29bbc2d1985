import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'
import { reportFigures } from '../figures.ts'

const { FORGELET_KILLS: kills = '6', FORGELET_PROPERTY_SEED: chosenSeed } = process.env
const rounds = Number(kills)
const writers = 4

/** A generator that repeats its sequence, so that a failure can be reproduced with its seed. */
const createRandom = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const headers = { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json' }

/** Label names whose creation was acknowledged, and names that were sent without a response. */
interface Journal {
  readonly acknowledged: Set<string>
  readonly open: Set<string>
}

/** Creates labels in sequence until the server exits. Each label consists of two rows: the label and its priority. */
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
      // A broken connection is expected; an error response is not.
      if (error instanceof TypeError) return
      throw error
    }
    // The status line acknowledges the write, even if the body is lost.
    journal.open.delete(name)
    journal.acknowledged.add(name)
  }
}

const stored = async (url: string) => {
  const priorities = new Map<string, number | null>()
  for (let page = 1; ; page++) {
    const response = await fetch(`${url}/api/v4/projects/acme%2Fweb/labels?per_page=100&page=${page}`, { headers })
    const labels = (await response.json()) as { name: string; priority: number | null }[]
    for (const { name, priority } of labels) priorities.set(name, priority)
    if (labels.length < 100) return priorities
  }
}

it(
  'loses no acknowledged write and stores no partial write when it is killed',
  async () => {
    const seed = Number(chosenSeed ?? Date.now() % 2 ** 32)
    const random = createRandom(seed)
    const journal: Journal = { acknowledged: new Set(), open: new Set() }
    const args = ['--data', 'killed.db', '--seed', 'demo', '--log-level', 'silent']
    const label = `seed ${seed}`

    for (let round = 1; round <= rounds; round++) {
      const { url, child, ended } = await serving(args)
      const before = journal.acknowledged.size
      const all = Promise.all(
        Array.from({ length: writers }, (_, writer) => write(url, `r${round}-w${writer}`, journal)),
      )
      // A busy machine may need seconds for the first request.
      const countNew = () => journal.acknowledged.size - before
      await expect
        .poll(countNew, { timeout: 30_000, message: `${label}: no write in round ${round}` })
        .toBeGreaterThan(0)
      await pause(random() * 500)
      child.kill('SIGKILL')
      await all
      expect((await ended).code, label).toBeNull()
      expect(journal.open.size, label).toBeLessThanOrEqual(round * writers)
    }

    const { url, stop } = await serving(args)
    const labels = await stored(url)
    expect(
      [...journal.acknowledged].filter((name) => !labels.has(name)),
      `${label}: lost`,
    ).toEqual([])
    const written = [...labels].filter(([name]) => /^r\d/.test(name))
    const requested = written.filter(([name]) => journal.acknowledged.has(name) || journal.open.has(name))
    expect(requested, `${label}: stored labels that were not requested`).toHaveLength(written.length)
    const partial = written.filter(([name, priority]) => priority !== Number(name.split('-').at(-1)))
    expect(partial, `${label}: partly written`).toEqual([])
    expect((await stop()).code).toBe(0)

    const file = new Database(join(folder, 'killed.db'), { readonly: true })
    expect(file.pragma('integrity_check', { simple: true }), label).toBe('ok')
    expect(file.pragma('foreign_key_check'), label).toEqual([])
    file.close()
    const [acknowledged, open] = [journal.acknowledged.size, journal.open.size]
    reportFigures('killed servers', {
      kills: rounds,
      'acknowledged writes': acknowledged,
      'unanswered writes': open,
      'lost or partial writes': 0,
    })
  },
  60_000 + rounds * 20_000,
)
