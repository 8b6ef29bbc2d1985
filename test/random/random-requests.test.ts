import type { FakeForge, Seed } from '@forgelet/fixtures'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOpenApiDocument } from '../../packages/http/src/openapi/document.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { reportFigures } from '../figures.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { world } from '../world.ts'
import {
  createRequestGenerator,
  type KnownValues,
  type OpenApiDocument,
  type RandomRequest,
} from './random-requests.ts'

/**
 * Sends requests that are generated from the OpenAPI document. No response is a server error, and none contains a secret.
 * `test/world.ts` compares all responses with the document.
 */

const { FORGELET_RANDOM_REQUESTS: requested, FORGELET_PROPERTY_SEED: chosenSeed } = process.env
const count = Number(requested ?? 300)
const seed = Number(chosenSeed ?? Date.now() % 2 ** 31)

/** Requests to one world; its objects are deleted and changed. */
const requestsPerWorld = 500

const scopedToken = 'reading-token'
const expiredToken = 'expired-token'

const randomSeed: Seed = {
  ...fullSeed,
  users: (fullSeed.users ?? []).map((user) =>
    user.username === 'bob'
      ? {
          ...user,
          tokens: [
            ...(user.tokens ?? []),
            { name: 'reading', secret: scopedToken, scopes: ['read_api'] },
            { name: 'expired', secret: expiredToken, expiresAt: '2020-01-01' },
          ],
        }
      : user,
  ),
}

const usernames = ['root', 'alice', 'bob', 'carol', 'dave', 'erin', 'mallory']

/** Headers by the name of a credential. Requests of administrators and owners are more frequent, because more succeed. */
const credentials: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  anonymous: {},
  ...Object.fromEntries(usernames.map((name) => [name, { 'private-token': `${name}-token` }])),
  'root again': { authorization: 'Bearer root-token' },
  'alice again': { authorization: 'Bearer alice-token' },
  'sudo as carol': { 'private-token': 'root-token', sudo: 'carol' },
  'only reading': { 'private-token': scopedToken },
  expired: { 'private-token': expiredToken },
  unknown: { 'private-token': 'unknown-token' },
}

const scimCredentials: typeof credentials = {
  acme: { authorization: 'Bearer acme-scim' },
  unknown: { authorization: 'Bearer x' },
}

/** Secrets of the seed. Requests contain tokens in headers only, so no response can repeat them. */
const secrets = new RegExp(`hush[a-z]+|(${usernames.join('|')})-token\\b|${scopedToken}|${expiredToken}|acme-scim`)

const tokensInText = (text: string) => secrets.exec(text)?.[0]

const document = createOpenApiDocument(routes, { url: 'http://forge.test' }) as unknown as OpenApiDocument

const listKnownValues = (ids: Readonly<Record<string, string | number>>): KnownValues => {
  const get = (...names: string[]) => names.map((name) => ids[name])
  const noteables = ['issues', 'merge_requests', 'snippets', 'epics', 'commits']
  return {
    ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, [id]])),
    'projects:id': ['acme/web', 'acme/web', 'acme/web', 1, 'acme/tools/deploy', 'bob/notes'],
    'groups:id': ['acme', 'acme', 'partners', 'acme/tools'],
    'users:id': [...get('user_id', 'reporter'), 'bob'],
    'snippets:id': get('own_snippet', 'snippet_id'),
    'todos:id': get('todo_id'),
    'keys:id': [1],
    'geo_nodes:id': [1, 2],
    'project:id': [1, 2],
    'scim:id': ['bob-1', 'User', 'urn:ietf:params:scim:schemas:core:2.0:User'],
    label_id: ['bug', 'feature', 'urgent', 1],
    issue_iid: [1, 2, 3],
    note_id: noteables.flatMap((name) => get(`${name}_note`, `${name}_discussion_note`)),
    discussion_id: noteables.flatMap((name) => get(`${name}_discussion`)),
    approval_rule_id: get('approval_rule_id', 'merge_request_rule'),
    resource_label_event_id: get('issues_label_event', 'merge_requests_label_event'),
    resource_milestone_event_id: get('issues_milestone_event', 'merge_requests_milestone_event'),
    resource_state_event_id: get('issues_state_event', 'merge_requests_state_event'),
    resource_weight_event_id: get('issues_weight_event'),
    user_id: get('user_id', 'reporter', 'requester', 'synced'),
    group_id: [1, 2, 3],
    project_id: [1, 2, 'acme/web'],
    project: [1, 'acme/web'],
    author_id: [1, 2, 3],
    tag_name: ['v1', 'release-1', 'v0.1.0'],
    ref: ['main', 'cache-home', 'v0.1.0', 'HEAD'],
    from: ['main', 'v0.1.0'],
    to: ['main', 'cache-home'],
    refs: ['main', 'cache-home'],
    sha: [...get('sha'), 'main', 'v0.1.0'],
    path: ['', 'src', 'README.md'],
    source_branch: ['cache-home'],
    target_branch: ['main'],
    page: [1, 2],
    per_page: [1, 20, 100],
    color: ['red', '#abc', '#A1B2C3'],
  }
}

interface SentRequest {
  readonly line: string
  readonly milliseconds: number
}

const describeRequest = ({ method, target, credential, body }: RandomRequest) =>
  `${method} ${target} as ${credential}${typeof body === 'string' ? ` with ${body.slice(0, 500)}` : ''}`

const send = async (forge: FakeForge, request: RandomRequest, faults: string[]): Promise<SentRequest> => {
  const { method, target, headers, body, credential } = request
  const own = target.startsWith('/api/scim/')
    ? (scimCredentials[credential] ?? scimCredentials.acme)
    : credentials[credential]
  const line = describeRequest(request)
  const start = performance.now()
  const response = await forge.fetch(`${forge.url}${target}`, {
    method,
    headers: { ...own, ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const milliseconds = performance.now() - start
  const secret = tokensInText(`${text}${JSON.stringify([...response.headers])}`)
  if (response.status >= 500) faults.push(`${response.status} ${line}: ${text.slice(0, 300)}`)
  if (secret !== undefined) faults.push(`${line} reveals ${secret}`)
  return { line, milliseconds }
}

test(`${count} random requests`, { timeout: 30_000 + count * 100 }, async () => {
  const faults: string[] = []
  const sent: SentRequest[] = []
  for (let first = 0; first < count && faults.length < 20; first += requestsPerWorld) {
    const logged: string[] = []
    const record = (entry: object) => void logged.push(JSON.stringify(entry))
    const forge = await world({ seed: randomSeed, http: { logger: { info: record, error: record } } })
    const requests = createRequestGenerator(
      document,
      listKnownValues(await readAllIds(forge)),
      Object.keys(credentials),
    )
    const size = Math.min(requestsPerWorld, count - first)
    for (const request of fc.sample(requests, { seed: seed + first, numRuns: size })) {
      sent.push(await send(forge, request, faults))
    }
    await forge.close()
    for (const entry of logged) {
      const secret = tokensInText(entry)
      if (secret !== undefined) faults.push(`the log reveals ${secret}: ${entry.slice(0, 300)}`)
    }
  }
  reportFigures('random requests', { requests: sent.length, 'server errors or leaked secrets': faults.length })
  if (requested !== undefined) {
    const slowest = sent.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10)
    console.log(
      slowest.map(({ line, milliseconds }) => `${Math.round(milliseconds)} ms ${line.slice(0, 200)}`).join('\n'),
    )
  }
  expect(faults, `FORGELET_PROPERTY_SEED=${seed} repeats these requests`).toEqual([])
})
