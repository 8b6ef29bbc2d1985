import { styleText } from 'node:util'
import type { DemoUser } from './demo-users.ts'
import { table } from './table.ts'

export interface ServerStart {
  /** Where the server listens. */
  readonly url: string
  /** Where git over SSH is served; undefined without it. */
  readonly sshUrl: string | undefined
  /** Where sites are served over TLS; undefined without it. */
  readonly sitesPort: number | undefined
  readonly baseUrl: string | undefined
  readonly location: string
  /** Whether seed data was added; undefined if there was none to add. */
  readonly seeded: boolean | undefined
  readonly seed: string | undefined
}

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const bold = (text: string) => styleText('bold', text, { stream: process.stdout })

const seedStatus = ({ seeded, seed }: ServerStart) => {
  if (seeded === undefined) return ''
  const name = seed === 'demo' ? 'the demo data' : seed
  return seeded ? `, seeded with ${name}` : `, unchanged; ${name} is added only if there is no data`
}

/** The output of `serve` when it listens. Programs parse the first line: it must not change. */
export const startScreen = (start: ServerStart): string =>
  [
    `listening on ${start.url}`,
    ...(start.sshUrl === undefined ? [] : [`git over SSH at ${start.sshUrl}`]),
    ...(start.sitesPort === undefined ? [] : [`sites over TLS on port ${start.sitesPort}`]),
    ...(start.baseUrl === undefined ? [] : [`links point to ${start.baseUrl}`]),
    `data in ${start.location}${seedStatus(start)}`,
    '',
  ].join('\n')

/** How to create the first user of a server without any. */
export const firstUserHint = (retained: string): string =>
  `There are no users. To create an administrator with a token, in another terminal:
  forgelet user create root --admin${retained}
  forgelet token create --user root${retained}
`

const quoted = (text: string) => `"${text}"`

/** Example requests, quoted so that they work in every shell. */
const exampleRequests = (url: string, label: string): readonly (readonly [string, string])[] => {
  const api = `${url}/api/v4/projects`
  const curl = (user: string, rest: string) => `curl -H ${quoted(`PRIVATE-TOKEN: ${user}-token`)} ${rest}`
  return [
    ['list the labels of a project', curl('alice', quoted(`${api}/acme%2Fweb/labels`))],
    ['create a label', curl('alice', `-d name=${label} -d color=teal ${quoted(`${api}/acme%2Fweb/labels`)}`)],
    ['a private project is 404 for non-members', curl('mallory', quoted(`${api}/acme%2Ftools%2Fdeploy/labels`))],
  ]
}

/** The users of the demo data, and example requests. */
export const demoScreen = ({ url, location }: ServerStart, users: readonly DemoUser[], label: string): string => {
  if (users.length === 0) {
    return `\nThis is not the demo data. To start with the demo data, use another file: --data ./demo.db\n`
  }
  const rows = users.map(({ username, role, token }) => [username, role, token])
  return [
    '',
    table(['user', 'role', 'token'], rows, process.stdout),
    bold('Try in another terminal'),
    ...exampleRequests(url, label).flatMap(([description, request]) => [dim(`# ${description}`), request]),
    '',
    dim(`API reference: ${url} in a browser; OpenAPI document: ${url}/api/v4/openapi.json`),
    dim(`Press Ctrl-C to stop; delete ${location} to start over.`),
    '',
  ].join('\n')
}
