import { monitorEventLoopDelay } from 'node:perf_hooks'
import { embeddedMarkdown } from '../../../packages/core/src/ports/markdown.ts'
import { hostileMarkdown, repeat } from '../../hostile-markdown.ts'
import { atMost, type Line, type Table } from '../table.ts'

/** The longest text. */
const length = 1_000_000
/** Milliseconds that one text may block the event loop. */
const longestBlock = 250
const texts = {
  prose: repeat('The quick brown fox *jumps* over the `lazy` dog, see #1 and @alice.\n\n'),
  ...hostileMarkdown,
}

/** The time of each text, and how long it blocks the event loop: in a worker thread, and just below the threshold. */
export async function markdown(): Promise<Table[]> {
  const port = embeddedMarkdown()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const measure = async (text: string) => {
    delay.reset()
    delay.enable()
    const start = performance.now()
    const html = await port.render(text, 'platform')
    const milliseconds = performance.now() - start
    // The delay is recorded in the next turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 5))
    delay.disable()
    return { milliseconds, blocked: delay.max / 1e6, megabytes: html.length / 1e6, whole: !html.startsWith('<pre>') }
  }
  // Starts the thread and loads the libraries.
  for (const text of ['# :tada:', repeat(':tada: #1 ')(length / 10)]) await port.render(text, 'platform')
  const lines: Line[] = []
  for (const [what, make] of Object.entries(texts)) {
    const long = await measure(make(length).slice(0, length))
    const short = await measure(make(8_192).slice(0, 8_192))
    const blocked = Math.max(long.blocked, short.blocked)
    const values = [long.milliseconds, long.blocked, long.megabytes, long.whole ? '' : 'source', short.blocked]
    lines.push(atMost(what, values, blocked, longestBlock, { unit: 'ms' }))
  }
  await port.close?.()
  return [
    {
      title: 'Markdown: texts of 1,000,000 and of 8,192 characters',
      columns: ['long, ms', 'blocked, ms', 'HTML, MB', 'shown as', 'short: blocked, ms'],
      lines,
    },
  ]
}
