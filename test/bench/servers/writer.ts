import { createPlatform, sqlite } from '@forgelet/core'

/** Writes for a while as one of several processes: each write reads a description and adds one to the number in it. */

const [path, seconds, project] = process.argv.slice(2) as [string, string, string]
const platform = createPlatform(sqlite(path, { durability: 'process' }))
await platform.ready()
const host = platform.as({ system: 'bench' })
const ref = { project: Number(project), name: 'counter' }

process.on('message', async () => {
  const end = performance.now() + Number(seconds) * 1_000
  let written = 0
  let refused = 0
  while (performance.now() < end) {
    try {
      await platform.atomic(async (open) => {
        const session = open.as({ system: 'bench' })
        const { description } = await session.labels.get(ref)
        await session.labels.update({ ...ref, description: String(Number(description) + 1) })
      })
      written++
    } catch {
      refused++
    }
    // A server has other things to do between two commands; without a pause the other process would hardly get a turn.
    await new Promise(setImmediate)
  }
  const { description } = await host.labels.get(ref)
  process.send?.({ written, refused, description })
})
process.send?.({})
