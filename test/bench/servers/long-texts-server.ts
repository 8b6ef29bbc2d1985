import { createPlatform, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { serve } from '@forgelet/http'

/** A server with a project of long texts. Answers each message with the longest turn of the event loop since the last one. */

const [path, count, length] = process.argv.slice(2) as [string, string, string]
const project = 'ada/texts'
const author = 'ada'

const platform = createPlatform(sqlite(path, { durability: 'process', groupCommit: true }))
await seed(platform, {
  users: [{ username: author }],
  projects: [{ path: project, visibility: 'public', issues: [{ title: 'The first', author }] }],
})
const host = platform.as({ system: 'benchmark' })
const text = 'x'.repeat(Number(length))
for (let number = 1; number <= Number(count); number++) {
  await host.notes.create({ project, issue: 1, body: `${number} ${text}`, author })
  await host.issues.create({ project, title: `Issue ${number}`, description: `${number} ${text}`, author })
}
const { url } = await serve(platform, { port: 0 })

/** Of a turn: its duration, and the part of it in which the main thread had a processor. */
let longest = { milliseconds: 0, busy: 0 }
const cpuMilliseconds = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
let last = { at: performance.now(), cpu: cpuMilliseconds() }
const measure = () => {
  const now = { at: performance.now(), cpu: cpuMilliseconds() }
  longest = {
    milliseconds: Math.max(longest.milliseconds, now.at - last.at),
    busy: Math.max(longest.busy, now.cpu - last.cpu),
  }
  last = now
  setTimeout(measure, 1)
}
measure()

process.on('message', () => {
  process.send?.(longest)
  longest = { milliseconds: 0, busy: 0 }
})
process.send?.({ url })
