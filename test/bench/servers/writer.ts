import { createPlatform, sqlite } from '@forgelet/core'

/** One of several concurrent writers: each write reads a description and increments the number in it. */

const [path, seconds, project] = process.argv.slice(2) as [string, string, string]
const platform = createPlatform(sqlite(path, { durability: 'process' }))
await platform.ready()
const host = platform.as({ system: 'bench' })
const ref = { project: Number(project), name: 'counter' }

process.on('message', async () => {
  const end = performance.now() + Number(seconds) * 1_000
  let written = 0
  let failed = 0
  while (performance.now() < end) {
    try {
      await platform.atomic(async (transaction) => {
        const session = transaction.as({ system: 'bench' })
        const { description } = await session.labels.get(ref)
        await session.labels.update({ ...ref, description: String(Number(description) + 1) })
      })
      written++
    } catch {
      failed++
    }
    // Without a pause between commands the other process would rarely get the lock.
    await new Promise(setImmediate)
  }
  const { description } = await host.labels.get(ref)
  process.send?.({ written, failed, description })
})
process.send?.({})
