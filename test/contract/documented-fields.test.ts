import { createHash } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fullSeed, readIds } from '../full-seed.ts'
import { certificateFactory, hasOpenssl } from '../support/openssl-certificates.ts'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'
import {
  type DocumentedField,
  type DocumentedResponse,
  documentedResponses,
  fieldsOf,
  type Kind,
} from './documented-fields.ts'
import { newSshKey } from './ssh-keys.ts'

const project = 'acme/web'

const sha256 = (key: string) =>
  createHash('sha256')
    .update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=+$/, '')

let forge: FakeForge
let send: Send
let ids: Record<string, string | number>

/** What only single answers speak of. */
const addRest = async ({ host, as, seed }: FakeForge) => {
  await seed({
    users: ['newcomer', 'stranger'].map((username) => ({ username, tokens: [{ secret: `${username}-token` }] })),
    groups: [{ path: 'shared', visibility: 'public', shares: [{ group: 'partners', access: 'reporter' }] }],
  })
  const key = newSshKey('robot')
  await as('alice').deployKeys.create({ project, key })
  if (hasOpenssl) {
    const factory = certificateFactory()
    const pair = factory.create({ subject: '/CN=secure.example.com' })
    factory.remove()
    await host.pagesDomains.create({ project, domain: 'secure.example.com', ...pair })
  }
  await host.labels.create({ project, name: 'promoted', color: 'red' })
  await as('root').todos.create({ project, mergeRequest: 1 })
  await as('root').events.create({ project, ref: 'main', after: 'b'.repeat(40), commitCount: 1, commitTitle: 'x' })
  return key
}

beforeAll(async () => {
  forge = await world({ seed: fullSeed })
  send = client(forge)
  const known = await readIds(forge)
  const key = await addRest(forge)
  const made = await send('POST /snippets', {
    as: 'root',
    json: { title: 'x', file_name: 'x', content: 'x', visibility: 'public' },
    headers: { 'user-agent': 'test' },
  })
  ids = {
    ...known,
    note_id: known.issues_note ?? 0,
    snippet_note: known.snippets_note ?? 0,
    epic_note: known.epics_note ?? 0,
    asked_snippet: made.body.id,
    newcomer: (await forge.host.users.get({ user: 'newcomer' })).id,
    fingerprint: encodeURIComponent(`SHA256:${sha256(key)}`),
  }
})
afterAll(() => forge.close())

const filled = (text: string) => text.replace(/:([a-z_]+)/g, (whole, name: string) => String(ids[name] ?? whole))

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/
const day = /^\d{4}-\d\d-\d\d$/

const is: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  text: (value) => typeof value === 'string',
  time: (value) => typeof value === 'string' && instant.test(value),
  date: (value) => typeof value === 'string' && day.test(value),
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  null: (value) => value === null,
  present: () => true,
}

const faultOf = (body: Readonly<Record<string, unknown>>, { name, kind, nullable }: DocumentedField) => {
  if (!Object.hasOwn(body, name)) return `${name} is missing`
  const value = body[name]
  return is[kind](value) || (nullable && value === null) ? undefined : `${name} is no ${kind}: ${JSON.stringify(value)}`
}

const step = (value: unknown, name: string): unknown =>
  name === 'secured'
    ? (value as { certificate?: unknown }[]).find(({ certificate }) => certificate)
    : (value as Readonly<Record<string, unknown>> | undefined)?.[name]

const bodyOf = async ({ send: line, as = 'root', json, at }: DocumentedResponse) => {
  const scim = line.includes('/api/scim/')
  const response = await send(filled(line), {
    ...(!scim && { as }),
    ...(json && { json: JSON.parse(filled(JSON.stringify(json))) }),
    ...(scim && { headers: { authorization: 'Bearer acme-scim', 'content-type': 'application/scim+json' } }),
  })
  expect(response.status, response.text).toBeLessThan(300)
  return (at === undefined ? [] : at.split('.')).reduce(step, JSON.parse(response.text) as unknown)
}

describe('an answer has every documented field, of the documented type', () => {
  const possible = documentedResponses.filter(({ send, at }) => hasOpenssl || !/secure/.test(`${send} ${at}`))
  test.each(possible.map((response) => [`${response.send} ${response.at ?? ''}`, response] as const))(
    '%s',
    async (_, response) => {
      const body = await bodyOf(response)
      expect(is.object(body), `nothing there: ${JSON.stringify(body)}`).toBe(true)
      const fields = fieldsOf(response.fields)
      expect(fields.length).toBeGreaterThan(0)
      expect(fields.map((field) => faultOf(body as Record<string, unknown>, field)).filter(Boolean)).toEqual([])
    },
  )
})

test('the table can be read', () => {
  expect(fieldsOf('integer: id iid\n text?: description')).toEqual([
    { name: 'id', kind: 'integer', nullable: false },
    { name: 'iid', kind: 'integer', nullable: false },
    { name: 'description', kind: 'text', nullable: true },
  ])
  for (const { fields } of documentedResponses) for (const { kind } of fieldsOf(fields)) expect(is).toHaveProperty(kind)
})
