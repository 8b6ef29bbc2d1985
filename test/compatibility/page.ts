import { routes } from '../../packages/http/src/routes.ts'
import { type Client, clients } from './clients.ts'
import type { Heard } from './heard.ts'

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')

/** What came of an operation in the hands of one client. */
type Outcome = 'answered' | 'refused' | 'unasked'

const succeeded = (status: number) => (status >= 200 && status < 300) || status === 304

const outcome = (heard: readonly Heard[]): Outcome => {
  if (heard.length === 0) return 'unasked'
  return heard.some(({ status }) => succeeded(status)) ? 'answered' : 'refused'
}

const marks: Readonly<Record<Outcome, string>> = { answered: '✓', refused: '✗', unasked: '' }

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** `GET /projects/:id/labels`. */
const short = (route: string) => route.replace(' /api/v4/', ' /')

/** The page from what was heard while all tests of clients passed. */
export function compatibilityPage(heard: readonly Heard[]): string {
  const byClient = new Map<Client, Map<string, Heard[]>>(clients.map((client) => [client, new Map()]))
  for (const one of heard) {
    const client = clients.find(({ sent }) => sent(one))
    if (client === undefined) continue
    const own = byClient.get(client) as Map<string, Heard[]>
    own.set(one.route, [...(own.get(one.route) ?? []), one])
  }
  const outcomeOf = (client: Client, route: string) => outcome(byClient.get(client)?.get(route) ?? [])
  const documented = routes.filter(({ extension }) => !extension).map(nameOf)
  const companions = routes.filter(({ extension }) => extension).map(nameOf)
  const present = clients.filter((client) => (byClient.get(client)?.size ?? 0) > 0)
  const count = (client: Client, of: readonly string[]) =>
    String(of.filter((route) => outcomeOf(client, route) === 'answered').length)
  const summary = clients.map((client) =>
    present.includes(client)
      ? [client.name, client.how, count(client, documented), count(client, companions)]
      : [client.name, 'not on the machine that made this page', '', ''],
  )
  const operations = (of: readonly string[]) =>
    table(
      ['', ...present.map(({ name }) => name)],
      of
        .filter((route) => present.some((client) => outcomeOf(client, route) !== 'unasked'))
        .map((route) => [`\`${short(route)}\``, ...present.map((client) => marks[outcomeOf(client, route)])]),
    )
  const silent = (of: readonly string[]) =>
    of.filter((route) => present.every((client) => outcomeOf(client, route) === 'unasked'))
  const unasked = silent(documented)
  return `# Compatibility

Clients and tools that talk to the API in the tests, and what they did there. Made by \`pnpm docs:compatibility\` from a run in
which all of them passed: \`✓\` answered with success at least once, \`✗\` only ever refused, empty where the client was not made to ask.

"run" is the program itself, over a port; "recorded" sends what the program sends.

${table(['Client', 'How', `Documented operations, of ${documented.length}`, `Companion operations, of ${companions.length}`], summary)}

## Documented operations

${operations(documented)}
${unasked.length ? `\nAsked by none of them:\n\n${unasked.map((route) => `- \`${short(route)}\``).join('\n')}\n` : ''}
## Companion operations

Not in the documents that the API follows; tools ask for them before, and besides, what they are for.

${operations(companions)}
`
}
