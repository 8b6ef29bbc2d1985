import { settingDefinition, settingNames } from '@forgelet/core/operations'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { assert, asyncProperty, constantFrom, string } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { toSnakeCase } from '../../packages/http/src/wire-names.ts'

/** No value of a secret input appears in the journal, in whatever form a client sends it. */

const wide = /token|secret|passw|passphrase|key$|credential|value$|variables|code$|otp|dsn/i

/** Inputs with a similar name that are no secrets: ids, names, public keys, and settings. */
const publicInputs: readonly (string | RegExp)[] = [
  /(?:deployKey|lineCode)$/,
  /^(?:accessTokens|deployTokens|tokens)\.\w+ token$/,
  /^(?:customAttributes|ciVariables|pipelineSchedules|instanceFeatures|templates)\.\w+ key$/,
  /^(?:customAttributes|instanceFeatures)\.set value$/,
  /^(?:deployKeys|gpgKeys|keys)\.\w+ key$/,
  /^\w+\.\w+ (?:customHeaders|urlVariables)\.key$/,
  /^hooks\.\w+ key$/,
  'pipelines.create variables.key',
  /^pipelineJobs\.\w+ variables\.key$/,
  // Inputs of pipeline files are shown to readers of the project.
  /^pipelineSchedules\.\w+ inputs\.value$/,
  /^imports\.createProject overrideParams\.\w+$/,
  /^users\.\w+ (?:resetPassword|forceRandomPassword)$/,
  /^pushRules\.\w+ preventSecrets$/,
  // Applications contain the keys of error tracking, which only permit to send errors.
  /^errorTracking\.\w+ (?:publicKey|clientKey)$/,
  // A part of the address of an upload.
  /^uploads\.\w+ secret$/,
  /^projects\.\w+ settings\.(?:\w+|license\.key)$/,
]

interface Field {
  readonly route: Route
  /** Wire names. */
  readonly path: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: schemas of all kinds
const entriesOf = (schema: any, depth = 0): Readonly<Record<string, unknown>> | undefined => {
  if (!schema || depth > 10) return undefined
  return schema.entries ?? entriesOf(schema.wrapped ?? schema.item ?? schema.pipe?.[0], depth + 1)
}

const findInputs = (entries: Readonly<Record<string, unknown>>, path: readonly string[] = []): (readonly string[])[] =>
  Object.entries(entries).flatMap(([name, schema]) => {
    const own = [...path, name]
    const nested = path.length < 4 ? entriesOf(schema) : undefined
    return [own, ...(nested ? findInputs(nested, own) : [])]
  })

const toWire = ({ names }: Route, [first = '', ...rest]: readonly string[]) => [
  Object.entries(names).find(([, input]) => input === first)?.[0] ?? toSnakeCase(first),
  ...rest.map(toSnakeCase),
]

const isPublic = (label: string) =>
  publicInputs.some((entry) => (typeof entry === 'string' ? entry === label : entry.test(label)))

const operationOf = (() => {
  const known = new Map<unknown, string>()
  return async (route: Route) => {
    const { getOperationName } = await import('../../packages/http/src/routing/operation-names.ts')
    const name = known.get(route) ?? getOperationName(route.operation) ?? ''
    known.set(route, name)
    return name
  }
})()

const secretSettings = new Set<string>(settingNames.filter((name) => settingDefinition(name).secret))

const findSecretFields = async (): Promise<readonly Field[]> => {
  const fields: Field[] = []
  for (const route of routes) {
    const operation = await operationOf(route)
    for (const path of findInputs(route.operation.entries)) {
      const label = `${operation} ${path.join('.')}`
      const isSecret =
        operation === 'settings.update'
          ? secretSettings.has(path[0] ?? '')
          : wide.test(path.at(-1) ?? '') && !isPublic(label)
      if (isSecret) fields.push({ route, path: toWire(route, path) })
    }
  }
  return fields
}

let fields: readonly Field[]
let forge: FakeForge
beforeAll(async () => {
  fields = await findSecretFields()
  forge = await fakeForge({ journal: { bodySize: 5_000 } })
})
afterAll(() => forge.close())

const form = (pairs: readonly (readonly [string, string])[]) => new URLSearchParams(pairs.map((pair) => [...pair]))

const multipart = (pairs: readonly (readonly [string, string])[]) => {
  const data = new FormData()
  for (const [name, value] of pairs) data.append(name, value)
  return data
}

type Body = { readonly body?: BodyInit; readonly query?: string; readonly json?: unknown }

/** The ways to send a field. */
const formats: Readonly<Record<string, (path: readonly string[], value: string) => Body>> = {
  json: ([first = '', second], value) => {
    if (second === undefined) return { json: { [first]: value } }
    return { json: { [first]: [{ key: 'KEY', [second]: value }] } }
  },
  'a list in JSON': ([first = ''], value) => ({ json: { other: 1, [first]: [value, { value }] } }),
  'a mapping in JSON': ([first = ''], value) => ({ json: { [first]: { KEY: value, key: value } } }),
  'truncated JSON': ([first = '', second], value) => {
    const text = JSON.stringify(second === undefined ? { [first]: value } : { [first]: [{ [second]: value }] })
    return { body: text.slice(0, -4) }
  },
  'escaped JSON': ([first = '', second], value) => {
    const name = `"\\u${(second ?? first).charCodeAt(0).toString(16).padStart(4, '0')}${(second ?? first).slice(1)}"`
    const own = `{${name}: ${JSON.stringify(value)}}`
    return { body: second === undefined ? own : `{"${first}": [${own}]}` }
  },
  form: ([first = '', second], value) => ({ body: form([[second ? `${first}[][${second}]` : first, value]]) }),
  'a list in a form': ([first = '', second], value) => ({
    body: form([[second ? `${first}[0][${second}]` : `${first}[]`, value]]),
  }),
  'a mapping in a form': ([first = ''], value) => ({ body: form([[`${first}[KEY]`, value]]) }),
  multipart: ([first = '', second], value) => ({
    body: multipart([[second ? `${first}[][${second}]` : first, value]]),
  }),
  'a list in a multipart form': ([first = ''], value) => ({ body: multipart([[`${first}[KEY]`, value]]) }),
  query: ([first = '', second], value) => ({
    query: String(form([[second ? `${first}[][${second}]` : first, value]])),
  }),
  'a mapping in a query': ([first = ''], value) => ({ query: String(form([[`${first}[KEY]`, value]])) }),
}

const send = async ({ route, path }: Field, format: string, value: string) => {
  const { body, query, json } = formats[format]?.(path, value) ?? {}
  const target = route.path
    .replace(':id', route.path.includes('/projects/:id') ? 'acme%2Fweb' : '1')
    .replace(/:\w+/g, '1')
  const contentType = json === undefined && typeof body !== 'string' ? {} : { 'Content-Type': 'application/json' }
  const hasBody = route.method !== 'GET'
  const text = json === undefined ? body : JSON.stringify(json)
  const response = await forge.fetch(`${target}${query ? `?${query}` : ''}`, {
    method: route.method,
    headers: { 'PRIVATE-TOKEN': forge.token('alice'), ...contentType },
    ...(hasBody && text !== undefined && { body: text }),
  })
  await response.text()
}

describe('the journal', () => {
  test('has routes with secrets of all kinds', () => {
    const names = new Set(fields.map(({ path }) => path.join('.')))
    for (const name of ['value', 'variables', 'variables.value', 'token', 'password', 'key', 'custom_headers.value'])
      expect(names).toContain(name)
    expect(fields.length).toBeGreaterThan(30)
  })

  test.each(Object.keys(formats))('shows no secret input of any route: %s', async (format) => {
    const shown: string[] = []
    for (const field of fields) {
      await send(field, format, 'Hush7 "x" hush7')
      if (/hush7/i.test(JSON.stringify(forge.journal.last)))
        shown.push(`${field.route.method} ${field.route.path} ${field.path.join('.')}`)
    }
    expect(shown).toEqual([])
  })

  test('shows no secret of other characters', { timeout: 60_000 }, async () => {
    await assert(
      asyncProperty(
        constantFrom(...fields.keys()),
        constantFrom(...Object.keys(formats)),
        string({ unit: 'binary', maxLength: 40 }),
        async (index, format, middle) => {
          await send(fields[index] as Field, format, `hush7${middle.toWellFormed()}hush7`)
          expect(JSON.stringify(forge.journal.last)).not.toMatch(/hush7/i)
        },
      ),
    )
  })

  test('shows no value in replies', async () => {
    const administrator = { headers: { 'PRIVATE-TOKEN': forge.token('root'), 'Content-Type': 'application/json' } }
    const post = (path: string, json: unknown) =>
      forge.fetch(`/api/v4${path}`, { method: 'POST', ...administrator, body: JSON.stringify(json) })
    const variable = { key: 'PLACE', value: 'hush7hush7' }
    const owners = ['/projects/acme%2Fweb/variables', '/groups/acme/variables', '/admin/ci/variables']
    for (const owner of owners) {
      const created = await post(owner, variable)
      expect(await created.json()).toMatchObject(variable)
      expect((await forge.fetch(`/api/v4${owner}`, administrator)).status).toBe(200)
    }
    expect(JSON.stringify(forge.journal.find())).not.toMatch(/hush7/i)
    expect(forge.journal.last?.response.body).toContain('"key":"PLACE"')
  })
})
