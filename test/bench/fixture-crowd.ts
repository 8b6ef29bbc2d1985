import { type FakeForge, fakeForge } from '@forgelet/fixtures'

/** Opens many forges side by side, asks each of them something, and says how much memory the process then has. */

const count = Number(process.argv[2])
const base = process.memoryUsage.rss()

process.on('SIGTERM', () => process.exit(0))
process.on('message', async () => {
  const start = performance.now()
  const forges: FakeForge[] = await Promise.all(Array.from({ length: count }, () => fakeForge()))
  await Promise.all(
    forges.map(async (forge, at) => {
      await forge.make.label({ project: 'acme/web', name: `own ${at}` })
      const response = await forge.fetch(`${forge.url}/api/v4/projects/acme%2Fweb/labels`)
      if (((await response.json()) as object[]).length !== 4) throw new Error('A forge saw what is not its own')
    }),
  )
  const milliseconds = performance.now() - start
  process.send?.({ resident: process.memoryUsage.rss(), milliseconds })
  await Promise.all(forges.map((forge) => forge.close()))
})
process.send?.({ base })
