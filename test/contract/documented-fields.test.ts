import { createHash } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificateMaker, hasOpenssl } from '../../packages/core/src/features/pages-domains/openssl-certificates.ts'
import { everything, idsOf } from '../everything.ts'
import { world } from '../world.ts'
import { type Ask, client } from './client.ts'
import {
  type DocumentedAnswer,
  type DocumentedField,
  documentedAnswers,
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
let ask: Ask
let ids: Record<string, string | number>

/** What only single answers speak of. */
const addRest = async ({ host, as, seed }: FakeForge) => {
  await seed({
    users: ['newcomer', 'stranger'].map((username) => ({ username, tokens: [{ secret: `${username}-token` }] })),
    groups: [{ path: 'shared', visibility: 'public', shares: [{ group: 'partners', access: 'reporter' }] }],
  })
  const key = newSshKey('robot')
  await as('alice').deployKeys.add({ project, key })
  if (hasOpenssl) {
    const maker = certificateMaker()
    const made = maker.make({ subject: '/CN=secure.example.com' })
    maker.remove()
    await host.pagesDomains.create({ project, domain: 'secure.example.com', ...made })
  }
  await host.labels.create({ project, name: 'promoted', color: 'red' })
  await as('root').todos.mark({ project, mergeRequest: 1 })
  await as('root').events.recordPush({ project, ref: 'main', after: 'b'.repeat(40), commitCount: 1, commitTitle: 'x' })
  return key
}

beforeAll(async () => {
  forge = await world({ seed: everything })
  ask = client(forge)
  const known = await idsOf(forge)
  const key = await addRest(forge)
  const made = await ask('POST /snippets', {
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

const bodyOf = async ({ ask: line, as = 'root', json, at }: DocumentedAnswer) => {
  const scim = line.includes('/api/scim/')
  const answer = await ask(filled(line), {
    ...(!scim && { as }),
    ...(json && { json: JSON.parse(filled(JSON.stringify(json))) }),
    ...(scim && { headers: { authorization: 'Bearer acme-scim', 'content-type': 'application/scim+json' } }),
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return (at === undefined ? [] : at.split('.')).reduce(step, JSON.parse(answer.text) as unknown)
}

describe('an answer has every documented field, of the documented type', () => {
  const possible = documentedAnswers.filter(({ ask, at }) => hasOpenssl || !/secure/.test(`${ask} ${at}`))
  test.each(possible.map((answer) => [`${answer.ask} ${answer.at ?? ''}`, answer] as const))(
    '%s',
    async (_, answer) => {
      const body = await bodyOf(answer)
      expect(is.object(body), `nothing there: ${JSON.stringify(body)}`).toBe(true)
      const fields = fieldsOf(answer.fields)
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
  for (const { fields } of documentedAnswers) for (const { kind } of fieldsOf(fields)) expect(is).toHaveProperty(kind)
})
