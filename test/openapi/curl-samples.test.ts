import { execFileSync } from 'node:child_process'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { exampleParameters } from '../example-parameters.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { buildPath, createValidRequests, toLine, type ValidRequests } from '../http/valid-requests.ts'
import { preparedWorld } from '../world.ts'

interface Operation {
  readonly 'x-codeSamples': readonly [{ readonly lang: string; readonly label: string; readonly source: string }]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let world: Awaited<ReturnType<typeof preparedWorld<Awaited<ReturnType<typeof readAllIds>>>>>
let forge: FakeForge
let requests: ValidRequests
let samples: ReadonlyMap<string, string>
beforeAll(async () => {
  world = await preparedWorld({ seed: fullSeed }, readAllIds)
  forge = world.forge
  requests = createValidRequests(forge, world.prepared)
  const { paths } = (await (await forge.fetch('/api/v4/openapi.json')).json()) as Document
  samples = new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]): [string, string] => [
        `${method.toUpperCase()} ${path}`,
        operation['x-codeSamples'][0].source,
      ]),
    ),
  )
})
afterAll(() => forge.close())

/** Lets a shell split the commands into arguments. */
const parseCommands = (commands: readonly string[]): string[][] => {
  const script = ['curl() { for word; do printf "%s\\0" "$word"; done; printf "\\n\\0"; }', ...commands].join('\n')
  const output = execFileSync('sh', { input: script, encoding: 'utf8', env: { TOKEN: 'root-token' } })
  return output
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1))
}

const createForm = (fields: readonly string[]): FormData => {
  const form = new FormData()
  for (const field of fields) {
    const [name = '', value = ''] = field.split('=')
    if (value.startsWith('@'))
      form.append(
        name,
        new Blob(
          ['\x89PNG\r\n\x1a\n'].map((text) => Buffer.from(text, 'latin1')),
          { type: 'image/png' },
        ),
        value.slice(1),
      )
    else form.append(name, value)
  }
  return form
}

/** Sends the request of a command. */
const sendCommand = (words: readonly string[]): Promise<Response> => {
  const readOptions = (option: string) => words.filter((_, index) => words[index - 1] === option)
  const fields = readOptions('--form')
  const body = fields.length ? createForm(fields) : readOptions('--data-raw')[0]
  const method = readOptions('--request')[0] ?? (body === undefined ? 'GET' : 'POST')
  const headers = readOptions('--header').map((line): [string, string] => line.split(': ') as [string, string])
  return forge.fetch(words.at(-1) as string, { method, headers, ...(body !== undefined && { body }) })
}

/** Samples whose request the administrator of the test world cannot send, with the reason. */
const failingSamples: Readonly<Record<string, string>> = {
  'GET /job': 'the token is not that of a job',
  'PUT /jobs/:job_id': 'the token is not that of a running job',
  'PATCH /jobs/:job_id/trace': 'the token is not that of a running job',
  'POST /jobs/:job_id/artifacts': 'the token is not that of a running job',
  'GET /jobs/:job_id/artifacts': 'the token is not that of a running job',
  'GET /feature_flags/unleash/:project_id/features': 'Unleash clients add their token',
  'GET /feature_flags/unleash/:project_id/client/features': 'Unleash clients add their token',
  'POST /projects/:id/access_tokens/self/rotate': 'the token is not that of the project',
  'POST /groups/:id/access_tokens/self/rotate': 'the token is not that of the group',
  'POST /error_tracking/collector/api/:project_id/envelope': 'clients of Sentry add their key',
  'POST /error_tracking/collector/api/:project_id/store': 'clients of Sentry add their key',
  'GET /keys': 'no SSH key has this fingerprint',
  'GET /snippets/:id/user_agent_detail': 'seeds contain no browsers',
  'GET /projects/:id/snippets/:snippet_id/user_agent_detail': 'seeds contain no browsers',
  'POST /projects/:id/restore': 'the project is not marked for deletion',
  'POST /groups/:id/restore': 'the group is not marked for deletion',
  'POST /projects/:id/access_requests': 'administrators cannot request access',
  'POST /groups/:id/access_requests': 'administrators cannot request access',
  'PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals': 'only bots can reset approvals',
  'POST /projects/:id/merge_requests': 'the merge request exists',
  'POST /projects/:id/environments': 'the environment exists',
  'POST /projects/:id/protected_environments': 'the environment is protected already',
  'POST /projects/:id/wikis': 'the page exists',
  'POST /groups/:id/wikis': 'the page exists',
  'POST /projects/import': 'the sample contains no archive',
  'POST /groups/import': 'the sample contains no archive',
}

/** The words of a command, with the path of an object that exists and the credential of SCIM clients. */
const replaceObjects = (words: readonly string[], path: string, scim: boolean): string[] => {
  const { search } = new URL(words.at(-1) as string)
  const url = `${forge.url}${path}${search}`
  return [...words.slice(0, -1), url].map((word) =>
    scim && word.startsWith('Authorization: ') ? 'Authorization: Bearer acme-scim' : word,
  )
}

test('every sample is a request that succeeds', async () => {
  const commands = parseCommands([...samples.values()])
  expect(commands.length).toBe(samples.size)
  const failed: Record<string, string> = {}
  for (const route of routes) {
    const sample = `${route.method} ${route.path.replace(/:([a-z_]+)/g, '{$1}')}`
    const words = commands[[...samples.keys()].indexOf(sample)] as string[]
    const { path } = await requests.prepare(route)
    const scim = route.path.startsWith('/api/scim/')
    const response = await sendCommand(replaceObjects(words, buildPath(route, path), scim))
    if (response.status >= 400) failed[toLine(route)] = `${response.status} ${await response.text()}`
    if (route.method !== 'GET') await world.restore()
  }
  expect(Object.entries(failed).filter(([line]) => !Object.hasOwn(failingSamples, line))).toEqual([])
  expect(Object.keys(failingSamples).filter((line) => !Object.hasOwn(failed, line))).toEqual([])
}, 180_000)

test('so is every sample of an endpoint for operators', async () => {
  const operator = [...samples].filter(([name]) => name.includes(' /-/') && !/ \/-\/(project|group)\//.test(name))
  const commands = parseCommands(operator.map(([, command]) => command))
  const statuses = await Promise.all(commands.map(async (words) => (await sendCommand(words)).status))
  const failed = operator.map(([name]) => name).filter((_, at) => (statuses[at] as number) >= 400)
  // Only servers of their own have metrics.
  expect(failed).toEqual(['GET /-/metrics'])
})

test('samples contain the token, the path parameters and the body', () => {
  expect(samples.get('PUT /api/v4/projects/{id}/labels')?.split('\n')).toEqual([
    'curl \\',
    '  --request PUT \\',
    '  --header "PRIVATE-TOKEN: $TOKEN" \\',
    "  --header 'Content-Type: application/json' \\",
    `  --data-raw '${JSON.stringify(exampleParameters('PUT /projects/:id/labels'))}' \\`,
    '  http://forge.test/api/v4/projects/acme%2Fweb/labels',
  ])
  expect(samples.get('GET /api/v4/projects/{id}/repository/merge_base')).toContain('--globoff')
  expect(samples.get('POST /api/v4/projects/{id}/uploads')).toContain('--form file=@logo.png')
  expect(samples.get('GET /-/health')).toBe('curl http://forge.test/-/health')
})
