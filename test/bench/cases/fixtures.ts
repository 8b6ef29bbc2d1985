import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { createEmulator } from 'emulate'
import { findFreePort } from '../../support/free-port.ts'
import { start } from '../child.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'

const rounds = 60
const starts = 21
const manyForges = 200

const milliseconds = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const firstCall = (forge: FakeForge) => forge.as('alice').labels.list({ project: 'acme/web' })

/** The cost of one forge after the first one of the process. */
const worlds = async (): Promise<Line[]> => {
  const forge = await fakeForge()
  await firstCall(forge)
  const snapshot = await forge.snapshot()
  const opened: FakeForge[] = []
  const variants = {
    snapshot: () => forge.snapshot(),
    restore: () => forge.restore(snapshot),
    reset: () => forge.reset(),
    clone: async () => opened.push(await forge.clone()),
    'new forge': async () => opened.push(await fakeForge()),
    'new forge and a first call': async () => {
      const opening = await fakeForge()
      opened.push(opening)
      await firstCall(opening)
    },
  }
  const names = Object.keys(variants) as (keyof typeof variants)[]
  const times = await alternate(names, rounds, async (name) => {
    const time = await milliseconds(variants[name])
    await Promise.all(opened.splice(0).map((one) => one.close()))
    return time
  })
  await forge.close()
  return names.map((name) => {
    const time = median(times[name].slice(5))
    return name === 'new forge and a first call'
      ? { what: name, values: [time] }
      : atMost(name, [time], time, 1, { unit: 'ms' })
  })
}

/** In a separate process, so that only the forges are measured. */
const memory = async (): Promise<Line[]> => {
  const child = await start<{ readonly base: number }>('many-forges.ts', [String(manyForges)])
  const { resident, milliseconds: time } = await child.request<{ resident: number; milliseconds: number }>({})
  await child.stop()
  const mebibytes = resident / 1024 ** 2
  return [
    atMost(`${manyForges} forges in one process, MiB resident`, [mebibytes], mebibytes, 512, {
      unit: 'MiB',
      reason: 'Each forge has a copy of the database of 0.65 MiB, and SQLite keeps its schema and its statements.',
    }),
    { what: `opening ${manyForges} forges with one request each, ms`, values: [time] },
  ]
}

/** Compares start, reset and a request for the current user over a socket with emulate. */
const compareWithEmulate = async (): Promise<Table> => {
  const seed = {
    tokens: { 'gh-token': { login: 'octocat', scopes: ['repo', 'user'] } },
    github: { users: [{ login: 'octocat', name: 'Octocat' }] },
  }
  // Found beforehand, because emulate does not report the port that it listens on.
  const found = new Set<number>()
  while (found.size < starts + 1) found.add(await findFreePort())
  const ports = [...found]
  const openEmulate = () => createEmulator({ service: 'github', port: ports.pop() as number, seed })
  const openOurs = () => fakeForge({ port: 0 })
  const opened: { close(): Promise<void> }[] = []
  // The first start of each loads its modules and is not measured.
  const ours = await openOurs()
  const emulate = await openEmulate()
  const get = async (url: string, headers: Record<string, string>) => {
    const response = await fetch(url, { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  }
  const requests = {
    ours: () => get(`${ours.url}/api/v4/user`, { 'PRIVATE-TOKEN': 'alice-token' }),
    emulate: () => get(`${emulate.url}/user`, { Authorization: 'Bearer gh-token' }),
  }
  const perSecond = async (request: () => Promise<void>) => {
    const count = 150
    const time = await milliseconds(async () => {
      for (let at = 0; at < count; at++) await request()
    })
    return (count * 1_000) / time
  }
  const names = ['ours', 'emulate'] as const
  for (const name of names) await perSecond(requests[name])
  const startTimes = await alternate(names, starts, (name) =>
    milliseconds(async () => opened.push(name === 'ours' ? await openOurs() : await openEmulate())),
  )
  await Promise.all(opened.map((one) => one.close()))
  const resets = await alternate(names, 41, (name) =>
    milliseconds(() => (name === 'ours' ? ours.reset() : emulate.reset())),
  )
  const rates = await alternate(names, 11, (name) => perSecond(requests[name]))
  await ours.close()
  await emulate.close()
  const startRatio = pairedRatio(startTimes.emulate, startTimes.ours)
  const rateRatio = pairedRatio(rates.ours, rates.emulate)
  return {
    title: 'Compared with another fake forge (emulate 0.8.0, its GitHub service)',
    reference: 'emulate 0.8.0, its GitHub service',
    columns: ['ours', 'emulate', 'ratio'],
    lines: [
      atLeast(
        'start on a port, ms',
        [median(startTimes.ours), median(startTimes.emulate), startRatio],
        startRatio,
        0.5,
        { reason: 'More than half of the time opens the database and reads its schema; emulate has no database.' },
      ),
      {
        what: 'reset, ms',
        values: [median(resets.ours), median(resets.emulate), pairedRatio(resets.emulate, resets.ours)],
      },
      atLeast('current user, requests/s', [median(rates.ours), median(rates.emulate), rateRatio], rateRatio, 0.5),
    ],
    notes: [
      'Ratio above 1: ours is faster. Both run in one process with the client, one request at a time, on loopback.',
      'emulate stores maps in memory without a database: its reset applies its seed again, ours rolls back the writes.',
    ],
  }
}

/** The cost of a separate forge for each test of a suite. */
export async function fixtures(): Promise<Table[]> {
  return [
    {
      title: 'Forges of a test suite',
      columns: ['ms'],
      lines: await worlds(),
    },
    { title: 'Many forges at once', columns: ['value'], lines: await memory() },
    await compareWithEmulate(),
  ]
}
