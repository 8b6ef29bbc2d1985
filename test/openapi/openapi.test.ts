import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { type Answer, type AskOptions, client } from '../contract/client.ts'
import { schemaFaults } from './schema-faults.ts'

type Json = Readonly<Record<string, unknown>>

interface Documented {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

let forge: FakeForge
let document: Document
beforeAll(async () => {
  forge = await fakeForge()
  document = (await client(forge)('GET /openapi.json')).body as Document
})
afterAll(() => forge.close())

/** The linter in a process of its own; it is told to ask nobody for updates and to report nothing. */
const lint = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, text)
    const program = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
    const given = [program, 'lint', file, '--config', join(import.meta.dirname, 'redocly.yaml'), '--format', 'json']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const run = promisify(execFile)(process.execPath, given, { env, cwd: folder, timeout: 60_000, maxBuffer: 2 ** 26 })
    const { stdout } = await run.catch((failed: { stdout: string }) => failed)
    return JSON.parse(stdout) as { totals: { errors: number; warnings: number }; problems: readonly Json[] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('the description', () => {
  test('is OpenAPI 3.1 without a single complaint of the linter', async () => {
    expect(document.openapi).toBe('3.1.0')
    const { totals, problems } = await lint(JSON.stringify(document))
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test('of the control plane is one of its own, and as good', async () => {
    const control = await (await forge.fetch(`${forge.url}/_forgelet/openapi.json`)).text()
    const { totals, problems } = await lint(control)
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test('would be complained about if it were not', async () => {
    const { totals } = await lint(JSON.stringify({ ...document, paths: { '/x': { get: { responses: {} } } } }))
    expect(totals.errors).toBeGreaterThan(0)
  })

  test('has every route', () => {
    const missing = routes.filter(
      ({ method, path }) => !document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()],
    )
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})

/** The documented path that an address belongs to: one without parameters wins. */
const templateOf = (path: string) => {
  const sent = path.split('/')
  const fits = (template: string) => {
    const parts = template.split('/')
    return parts.length === sent.length && parts.every((part, at) => part.startsWith('{') || part === sent[at])
  }
  const found = Object.keys(document.paths).filter(fits)
  return found.sort((a, b) => a.split('{').length - b.split('{').length)[0] as string
}

const resolved = (schema: Json): Json => {
  const name = typeof schema.$ref === 'string' ? schema.$ref.slice('#/components/schemas/'.length) : undefined
  return name === undefined ? schema : (document.components.schemas[name] as Json)
}

/** What is wrong with an answer, compared with what the description says about it. */
const faultsOf = (line: string, { status, body, text }: Answer): string[] => {
  const [method, address] = line.split(' ') as [string, string]
  const template = templateOf(`/api/v4${address.split('?', 1)[0]}`)
  const response = document.paths[template]?.[method.toLowerCase()]?.responses[status]
  if (!response) return [`${method} ${template} does not document ${status}`]
  const schema = response.content?.['application/json']?.schema
  if (!schema) return text === '' ? [] : [`${method} ${template} answers ${status} with a body that is not documented`]
  return schemaFaults(resolved(schema), body)
}

const labels = '/projects/acme%2Fweb/labels'

/** In order: each finds what those before it have left behind. */
const requests: readonly (readonly [line: string, status: number, options?: AskOptions])[] = [
  [`GET ${labels}`, 200],
  [`GET ${labels}?with_counts=true`, 200, { as: 'carol' }],
  [`GET ${labels}?per_page=1&page=2`, 200],
  [`GET ${labels}?per_page=0`, 400],
  [`GET ${labels}/bug`, 200, { as: 'carol' }],
  [`GET ${labels}/missing`, 404],
  ['GET /projects/bob%2Fnotes/labels', 404],
  [`POST ${labels}`, 401, { json: { name: 'x', color: 'red' } }],
  [`POST ${labels}`, 400, { as: 'carol', json: { color: 'red' } }],
  [`POST ${labels}`, 403, { as: 'mallory', json: { name: 'x', color: 'red' } }],
  [`POST ${labels}`, 200, { as: 'carol', json: { name: 'new', color: 'red', description: null, priority: 3 } }],
  [`POST ${labels}`, 409, { as: 'carol', json: { name: 'new', color: 'red' } }],
  [`PUT ${labels}/new`, 200, { as: 'carol', json: { new_name: 'newer', priority: null } }],
  [`PUT ${labels}/newer`, 400, { as: 'carol', json: { new_name: 'bug' } }],
  [`PUT ${labels}/newer`, 400, { as: 'carol', json: {} }],
  [`PUT ${labels}`, 200, { as: 'carol', json: { name: 'newer', new_name: 'newest' } }],
  [`POST ${labels}/newest/subscribe`, 200, { as: 'dave' }],
  [`POST ${labels}/newest/subscribe`, 304, { as: 'dave' }],
  [`POST ${labels}/newest/unsubscribe`, 200, { as: 'dave' }],
  [`PUT ${labels}/newest/promote`, 200, { as: 'alice' }],
  [`PUT ${labels}/promote`, 404, { as: 'alice', json: { name: 'missing' } }],
  [`DELETE ${labels}/bug`, 204, { as: 'carol' }],
  [`DELETE ${labels}?name=feature`, 204, { as: 'carol' }],
]

describe('answers are as described', () => {
  test.each(requests.map(([line, status, options = {}]) => ({ line, status, options })))(
    '$line: $status',
    async (request) => {
      const { line, status, options } = request
      const answer = await client(forge)(line, options)
      expect(answer.status).toBe(status)
      expect(faultsOf(line, answer)).toEqual([])
    },
  )
})

describe('the comparison', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'number' }, name: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    required: ['id'],
  }

  test.each([
    [{ id: 1, name: null }, []],
    [{ name: 'x' }, ['body.id is missing']],
    [{ id: '1' }, ['body.id is string, not number']],
    [{ id: 1, secret: 'x' }, ['body.secret is not documented']],
    [[], ['body is array, not object']],
  ])('finds what is wrong with %j', (value, faults) => {
    expect(schemaFaults(schema, value)).toEqual(faults)
  })

  test('does not pass over what it does not know', () => {
    expect(() => schemaFaults({ allOf: [] }, 1)).toThrow('allOf')
  })
})
