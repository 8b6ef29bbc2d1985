import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { createEmulator } from 'emulate'
import { start } from '../child.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'

const rounds = 60
const manyForges = 200

const milliseconds = async (work: () => unknown): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const firstCall = (forge: FakeForge) => forge.as('alice').labels.list({ project: 'acme/web' })

/** What one world costs, once the first one of the process was planted. */
const worlds = async (): Promise<Line[]> => {
  const forge = await fakeForge()
  await firstCall(forge)
  const snapshot = await forge.snapshot()
  const opened: FakeForge[] = []
  const ways = {
    snapshot: () => forge.snapshot(),
    restore: () => forge.restore(snapshot),
    reset: () => forge.reset(),
    clone: async () => opened.push(await forge.clone()),
    'new forge': async () => opened.push(await fakeForge()),
    'new forge and a first call': async () => {
      const one = await fakeForge()
      opened.push(one)
      await firstCall(one)
    },
  }
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const found = await alternate(names, rounds, async (name) => {
    const taken = await milliseconds(ways[name])
    await Promise.all(opened.splice(0).map((one) => one.close()))
    return taken
  })
  await forge.close()
  return names.map((name) => {
    const taken = median(found[name].slice(5))
    return name === 'new forge and a first call' ? { what: name, figures: [taken] } : atMost(name, [taken], taken, 1)
  })
}

/** In a process of its own, so that nothing but the forges is measured. */
const memory = async (): Promise<Line[]> => {
  const child = await start<{ readonly base: number }>('fixture-crowd.ts', [String(manyForges)])
  const { resident, milliseconds: taken } = await child.ask<{ resident: number; milliseconds: number }>({})
  await child.stop()
  const mebibytes = resident / 1024 ** 2
  return [
    atMost(`${manyForges} forges in one process, MiB resident`, [mebibytes], mebibytes, 512),
    { what: `opening and asking ${manyForges} of them, ms`, figures: [taken] },
  ]
}

/** Its reset and its start, and requests that both can answer over a socket: who the caller is. */
const emulated = async (): Promise<Table> => {
  const seed = {
    tokens: { 'gh-token': { login: 'octocat', scopes: ['repo', 'user'] } },
    github: { users: [{ login: 'octocat', name: 'Octocat' }] },
  }
  let port = 43_210
  const openOther = () => createEmulator({ service: 'github', port: port++, seed })
  const openOurs = () => fakeForge({ port: 0 })
  const left: (() => Promise<void>)[] = []
  const keep = <T extends { close(): Promise<void> }>(one: T): T => {
    left.push(() => one.close())
    return one
  }
  // The first of each loads what it is made of: not what a suite pays for each test.
  const ours = await openOurs()
  const other = await openOther()
  const ask = async (url: string, headers: Record<string, string>) => {
    const response = await fetch(url, { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  }
  const asks = {
    ours: () => ask(`${ours.url}/api/v4/user`, { 'PRIVATE-TOKEN': 'alice-token' }),
    other: () => ask(`${other.url}/user`, { Authorization: 'Bearer gh-token' }),
  }
  const perSecond = async (one: () => Promise<void>) => {
    const requests = 150
    const taken = await milliseconds(async () => {
      for (let at = 0; at < requests; at++) await one()
    })
    return (requests * 1_000) / taken
  }
  for (const one of [asks.ours, asks.other]) await perSecond(one)
  const names = ['ours', 'other'] as const
  const starts = await alternate(names, 21, (name) =>
    milliseconds(async () => void (name === 'ours' ? keep(await openOurs()) : keep(await openOther()))),
  )
  await Promise.all(left.splice(0).map((close) => close()))
  const resets = await alternate(names, 41, (name) =>
    milliseconds(() => (name === 'ours' ? ours.reset() : other.reset())),
  )
  const rates = await alternate(names, 11, (name) => perSecond(asks[name]))
  await ours.close()
  await other.close()
  const startRatio = pairedRatio(starts.other, starts.ours)
  const rateRatio = pairedRatio(rates.ours, rates.other)
  return {
    title: 'Beside another fake forge (emulate 0.8.0, its GitHub service)',
    columns: ['ours', 'emulate', 'ratio'],
    lines: [
      atLeast('start on a port, ms', [median(starts.ours), median(starts.other), startRatio], startRatio, 0.5),
      {
        what: 'reset, ms',
        figures: [median(resets.ours), median(resets.other), pairedRatio(resets.other, resets.ours)],
      },
      atLeast('who am I, requests/s', [median(rates.ours), median(rates.other), rateRatio], rateRatio, 0.5),
    ],
    notes: [
      'Ratio above 1: ours is quicker. Both in one process with the client, one request at a time, on loopback.',
      'The other keeps maps in memory and no database: its reset plants its seed again, ours goes back to a copy of any world.',
    ],
  }
}

/** What a test suite pays for a forge of its own in each test. */
export async function fixtures(): Promise<Table[]> {
  return [
    {
      title: 'Worlds of a test suite',
      columns: ['ms'],
      lines: await worlds(),
    },
    { title: 'Many worlds at once', columns: ['figure'], lines: await memory() },
    await emulated(),
  ]
}
