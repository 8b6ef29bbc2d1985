import { type FakeForge, fakeForge } from '@forgelet/fixtures'

/** Opens many forges concurrently, sends a request to each, and reports the resident memory of the process. */

const count = Number(process.argv[2])
const base = process.memoryUsage.rss()

process.on('SIGTERM', () => process.exit(0))
process.on('message', async () => {
  const start = performance.now()
  const forges: FakeForge[] = await Promise.all(Array.from({ length: count }, () => fakeForge()))
  await Promise.all(
    forges.map(async (forge, at) => {
      await forge.make.label({ project: 'acme/web', name: `label ${at}` })
      const response = await forge.fetch(`${forge.url}/api/v4/projects/acme%2Fweb/labels`)
      if (((await response.json()) as object[]).length !== 4)
        throw new Error('A forge returned a label of another forge')
    }),
  )
  const milliseconds = performance.now() - start
  process.send?.({ resident: process.memoryUsage.rss(), milliseconds })
  await Promise.all(forges.map((forge) => forge.close()))
})
process.send?.({ base })
