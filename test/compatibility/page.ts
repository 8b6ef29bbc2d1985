import { routes } from '../../packages/http/src/routes.ts'
import { type Client, clients } from './clients.ts'
import type { RecordedRequest } from './request-recorder.ts'

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')

/** The result of one route with one client. */
type Outcome = 'succeeded' | 'failed' | 'unused'

const isSuccess = (status: number) => (status >= 200 && status < 300) || status === 304

const outcome = (requests: readonly RecordedRequest[]): Outcome => {
  if (requests.length === 0) return 'unused'
  return requests.some(({ status }) => isSuccess(status)) ? 'succeeded' : 'failed'
}

const marks: Readonly<Record<Outcome, string>> = { succeeded: '✓', failed: '✗', unused: '' }

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** `GET /projects/:id/labels`. */
const short = (route: string) => route.replace(' /api/v4/', ' /')

/** The page as Markdown, from the requests of a run in which all client tests passed. */
export function compatibilityPage(requests: readonly RecordedRequest[]): string {
  const byClient = new Map<Client, Map<string, RecordedRequest[]>>(clients.map((client) => [client, new Map()]))
  for (const request of requests) {
    const client = clients.find(({ hasSent }) => hasSent(request))
    if (client === undefined) continue
    const byRoute = byClient.get(client) as Map<string, RecordedRequest[]>
    byRoute.set(request.route, [...(byRoute.get(request.route) ?? []), request])
  }
  const outcomeOf = (client: Client, route: string) => outcome(byClient.get(client)?.get(route) ?? [])
  const documented = routes.filter(({ extension }) => !extension).map(nameOf)
  const companions = routes.filter(({ extension }) => extension).map(nameOf)
  const present = clients.filter((client) => (byClient.get(client)?.size ?? 0) > 0)
  const count = (client: Client, of: readonly string[]) =>
    String(of.filter((route) => outcomeOf(client, route) === 'succeeded').length)
  const summary = clients.map((client) =>
    present.includes(client)
      ? [client.name, client.mode, count(client, documented), count(client, companions)]
      : [client.name, 'not installed where this page was generated', '', ''],
  )
  const operations = (of: readonly string[]) =>
    table(
      ['', ...present.map(({ name }) => name)],
      of
        .filter((route) => present.some((client) => outcomeOf(client, route) !== 'unused'))
        .map((route) => [`\`${short(route)}\``, ...present.map((client) => marks[outcomeOf(client, route)])]),
    )
  const unused = documented.filter((route) => present.every((client) => outcomeOf(client, route) === 'unused'))
  return `# Compatibility

Clients and tools that the tests run against the API, and the results per route. \`pnpm docs:compatibility\` generates this page
from a test run in which all of them pass. \`✓\`: at least one successful response; \`✗\`: error responses only; empty: the client
did not call the route.

Mode "run": the program itself runs against a port; "recorded": the test sends the requests that the program sends.

${table(['Client', 'Mode', `Documented operations, of ${documented.length}`, `Companion operations, of ${companions.length}`], summary)}

## Documented operations

${operations(documented)}
${unused.length ? `\nNot called by any of them:\n\n${unused.map((route) => `- \`${short(route)}\``).join('\n')}\n` : ''}
## Companion operations

Routes outside the documented API that tools require.

${operations(companions)}
`
}
