import { execFileSync } from 'node:child_process'
import { demoWithCode } from '@forgelet/core/seed'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Operation {
  readonly 'x-codeSamples': readonly [{ readonly lang: string; readonly label: string; readonly source: string }]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let forge: FakeForge
let samples: ReadonlyMap<string, string>
beforeAll(async () => {
  forge = await fakeForge({ seed: demoWithCode })
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

/** Samples that refer to objects which the demo world does not have, with the reason. */
const missingObjects: readonly (readonly [RegExp, string])[] = [
  [/\/access_requests\/\{/, 'nobody has requested access'],
  [/\/invitations\/\{/, 'nobody is invited'],
  [/^(?:GET|PUT|DELETE) .*\/push_rule$/, 'no push rules'],
  [/\/custom_attributes\/\{/, 'no custom attributes'],
  [/\/(?:notes|discussions)\/\{|\/discussions\/\{discussion_id\}/, 'no comments'],
  [/\/epics\//, 'no epics'],
  [/\/snippets\/\{/, 'no snippets'],
  [/^POST \/api\/v4\/todos\/\{/, 'the to-do items belong to other users than the administrator'],
  [/\/(?:protected_)?environments\/\{/, 'no environments'],
  [/^(?:GET|PATCH) .*\/error_tracking\/settings/, 'error tracking is not set up'],
  [/\/pages\/domains\/\{/, 'no Pages domains'],
  [/\/remote_mirrors\/\{/, 'no mirrors'],
  [/\/hooks\/\{/, 'no webhooks'],
  [/^GET .*\/avatar(?:\/|$)/, 'no uploaded pictures'],
  [/\/applications\/\{/, 'no OAuth applications'],
  [/^GET \/api\/v4\/keys|\/(?:keys|deploy_keys)\/\{/, 'no SSH keys'],
  [/\/gpg_keys\/\{/, 'no GPG keys'],
  [/\/emails\/\{/, 'no further e-mail addresses'],
  [/\/identities\/\{/, 'no accounts of other systems'],
  [/\/protected_tags\/\{/, 'no protected tags'],
  [/\/share\/\{/, 'no shares'],
  [/\/variables\/\{key\}/, 'no variables'],
  [/\/access_tokens\/\{token_id/, 'no access tokens of projects and groups'],
  [/\/deploy_tokens\/\{/, 'no deploy tokens'],
  [/\/impersonation_tokens\/\{/, 'no impersonation tokens'],
  [/^DELETE .*\/fork$/, 'no forks'],
  [/\/registry\/repositories\/\{/, 'no container repositories'],
  [/\/geo_nodes\/\{/, 'no replica nodes'],
  [/\/groups\/\{id\}\/labels/, 'the group has no labels'],
  [/\/deployments\/\{/, 'no deployments'],
  [/\/links\/\{issue_link_id/, 'no links between issues'],
  [/\/award_emoji\/\{/, 'no emoji'],
  [/\/draft_notes\/\{/, 'no draft notes'],
  [/\/approval_rules\/\{/, 'no approval rules'],
  [/\/resource_\w+_events\/\{/, 'no changes of issues and merge requests'],
  [/\/milestones\/\{/, 'no milestones'],
  [/\/releases\/(?:\{|permalink)/, 'no releases'],
  [/\/export\/download$/, 'no archives'],
  [/\/wikis\/\{/, 'no wiki pages'],
  [/\/badges\/\{/, 'no badges'],
  [/\/boards\/\{/, 'no issue boards'],
  [/\/secure_files\/\{/, 'no secure files'],
  [/\/topics\/(?:\{|merge)/, 'no topics'],
  [/\/broadcast_messages\/\{/, 'no messages to all users'],
  [/\/pipelines\/(?:\{|latest)/, 'no pipelines'],
  [/\/pipeline_schedules\/\{/, 'no schedules'],
  [/\/job_token_scope\/\w*allowlist\/\{/, 'no other projects are permitted'],
  [/^GET \/api\/v4\/job$/, 'the token is not that of a job'],
  [/\/triggers\/\{|\/trigger\/pipeline$/, 'no triggers'],
  [/\/jobs\/(?:\{|artifacts)/, 'no jobs'],
  [/\/uploads\/\{/, 'no uploads'],
  [/\/packages\/\{|^GET .*\/packages\/generic\//, 'no packages'],
  [/^GET \/-\/metrics/, 'only servers of their own have metrics'],
]

/** The demo project has no pipeline file, and the samples contain no archive. */
const missingFiles = /^POST .*\/(pipeline|import|merge_requests\/\{merge_request_iid\}\/pipelines)$/

test('every sample is a request of its operation, with objects of the demo world where it has them', async () => {
  const commands = parseCommands([...samples.values()])
  expect(commands.length).toBe(samples.size)
  const notFound: string[] = []
  const malformed: string[] = []
  for (const [index, [name]] of [...samples].entries()) {
    await forge.reset()
    const response = await sendCommand(commands[index] as string[])
    const text = await response.text()
    if (response.status === 404) notFound.push(name)
    const isRejected = response.status === 400 && missingFiles.test(name)
    if ((response.status === 400 && !isRejected) || response.status === 415 || response.status >= 500)
      malformed.push(`${name}: ${text}`)
    // The demo world has no tokens of identity providers.
    if (response.status === 401) expect(name).toMatch(/ \/api\/scim\//)
  }
  expect(malformed).toEqual([])
  expect(notFound.filter((name) => !missingObjects.some(([pattern]) => pattern.test(name)))).toEqual([])
  const unused = missingObjects.filter(([pattern]) => !notFound.some((name) => pattern.test(name)))
  expect(unused).toEqual([])
}, 180_000)

test('samples contain the token, the path parameters and the body', () => {
  expect(samples.get('PUT /api/v4/projects/{id}/labels')?.split('\n')).toEqual([
    'curl \\',
    '  --request PUT \\',
    '  --header "PRIVATE-TOKEN: $TOKEN" \\',
    "  --header 'Content-Type: application/json' \\",
    `  --data-raw '{"name":"bug","new_name":"defect"}' \\`,
    '  http://forge.test/api/v4/projects/acme%2Fweb/labels',
  ])
  expect(samples.get('GET /api/v4/projects/{id}/repository/merge_base')).toContain('--globoff')
  expect(samples.get('POST /api/v4/projects/{id}/uploads')).toContain('--form file=@logo.png')
  expect(samples.get('GET /-/health')).toBe('curl http://forge.test/-/health')
})
