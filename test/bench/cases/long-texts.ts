import { start } from '../child.ts'
import { atMost, type Line, type Table } from '../table.ts'
import { progress, temporaryPath } from '../temporary-files.ts'

/** Texts of one page, and the characters of each: a page has 40 MB. */
const count = 100
const length = 400_000
const readers = 12

/** Milliseconds for which the event loop may be busy without a turn. */
const longestTurn = 100

const project = '/api/v4/projects/ada%2Ftexts'
const lists = {
  notes: `${project}/issues/1/notes?per_page=${count}`,
  discussions: `${project}/issues/1/discussions?per_page=${count}`,
  issues: `${project}/issues?per_page=${count}`,
  'issues by title': `${project}/issues?per_page=${count}&order_by=title`,
  'a search of issues': `${project}/issues?per_page=${count}&search=Issue`,
} as const

interface Turn {
  readonly milliseconds: number
  readonly busy: number
}

/** How long the event loop is busy without a turn while one client and while many read pages of long texts. */
export async function longTexts(): Promise<Table[]> {
  progress(`long-texts: writing ${(2 * count * length) / 1e6} MB`)
  const server = await start<{ url: string }>(
    './servers/long-texts-server.ts',
    [temporaryPath('texts.db'), String(count), String(length)],
    { processor: 0 },
  )
  const read = async (path: string) => {
    const response = await fetch(server.ready.url + path)
    const body = await response.arrayBuffer()
    return { status: response.status, megabytes: body.byteLength / 1e6 }
  }
  const measure = async (path: string, clients: number) => {
    await server.request<Turn>({})
    const start = performance.now()
    const replies = await Promise.all(Array.from({ length: clients }, () => read(path)))
    const seconds = (performance.now() - start) / 1_000
    const { milliseconds, busy } = await server.request<Turn>({})
    return { replies, seconds, milliseconds, busy }
  }
  const lines: Line[] = []
  try {
    for (const [what, path] of Object.entries(lists)) {
      progress(`long-texts: ${what}`)
      const one = await measure(path, 1)
      const many = await measure(path, readers)
      // Replies that cannot be produced in parts may be refused to some of the readers.
      const megabytes = Math.max(...many.replies.map((reply) => reply.megabytes))
      const values = [megabytes, one.busy, many.busy, many.busy / one.busy, many.milliseconds, many.seconds]
      lines.push(atMost(what, values, many.busy, longestTurn, { unit: 'ms' }))
    }
  } finally {
    await server.stop()
  }
  return [
    {
      title: `Pages of ${count} texts of ${length.toLocaleString('en')} characters: the longest turn of the event loop`,
      reference: 'the same page for one client',
      columns: ['MB', '1 client: busy, ms', `${readers}: busy, ms`, 'ratio', 'turn, ms', 's'],
      lines,
      notes: ['Busy is the part of a turn in which the thread had a processor.'],
    },
  ]
}
