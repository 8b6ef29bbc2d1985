import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { client, type SendOptions, type TestResponse } from '../contract/client.ts'
import { findSchemaFaults } from './schema-faults.ts'

type Json = Readonly<Record<string, unknown>>

interface OpenApiOperation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

let forge: FakeForge
let document: Document
beforeAll(async () => {
  forge = await fakeForge()
  document = (await client(forge)('GET /openapi.json')).body as Document
})
afterAll(() => forge.close())

/** Runs the linter in a separate process, without update checks and telemetry. */
const lint = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, text)
    const program = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
    const args = [program, 'lint', file, '--config', join(import.meta.dirname, 'redocly.yaml'), '--format', 'json']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const run = promisify(execFile)(process.execPath, args, { env, cwd: folder, timeout: 60_000, maxBuffer: 2 ** 26 })
    const { stdout } = await run.catch((failed: { stdout: string }) => failed)
    return JSON.parse(stdout) as { totals: { errors: number; warnings: number }; problems: readonly Json[] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 without linter problems', async () => {
    expect(document.openapi).toBe('3.1.0')
    const { totals, problems } = await lint(JSON.stringify(document))
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test('of the control plane has no linter problems either', async () => {
    const control = await (await forge.fetch(`${forge.url}/_forgelet/openapi.json`)).text()
    const { totals, problems } = await lint(control)
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test('with an error is reported by the linter', async () => {
    const { totals } = await lint(JSON.stringify({ ...document, paths: { '/x': { get: { responses: {} } } } }))
    expect(totals.errors).toBeGreaterThan(0)
  })

  test('contains every route', () => {
    const missing = routes.filter(
      ({ method, path }) => !document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()],
    )
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})

/** The path template that matches a path; templates with fewer parameters take precedence. */
const templateOf = (path: string) => {
  const sent = path.split('/')
  const fits = (template: string) => {
    const parts = template.split('/')
    return parts.length === sent.length && parts.every((part, at) => part.startsWith('{') || part === sent[at])
  }
  const matching = Object.keys(document.paths).filter(fits)
  return matching.sort((a, b) => a.split('{').length - b.split('{').length)[0] as string
}

const resolveReference = (schema: Json): Json => {
  const name = typeof schema.$ref === 'string' ? schema.$ref.slice('#/components/schemas/'.length) : undefined
  return name === undefined ? schema : (document.components.schemas[name] as Json)
}

/** The differences between a response and the document. */
const faultsOf = (line: string, { status, body, text }: TestResponse): string[] => {
  const [method, url] = line.split(' ') as [string, string]
  const template = templateOf(`/api/v4${url.split('?', 1)[0]}`)
  const response = document.paths[template]?.[method.toLowerCase()]?.responses[status]
  if (!response) return [`${method} ${template} does not document ${status}`]
  const schema = response.content?.['application/json']?.schema
  if (!schema) return text === '' ? [] : [`${method} ${template} responds ${status} with an undocumented body`]
  return findSchemaFaults(resolveReference(schema), body)
}

const labels = '/projects/acme%2Fweb/labels'

/** Requests in order; later ones depend on the effects of earlier ones. */
const requests: readonly (readonly [line: string, status: number, options?: SendOptions])[] = [
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

describe('responses match the document', () => {
  test.each(requests.map(([line, status, options = {}]) => ({ line, status, options })))(
    '$line: $status',
    async (request) => {
      const { line, status, options } = request
      const response = await client(forge)(line, options)
      expect(response.status).toBe(status)
      expect(faultsOf(line, response)).toEqual([])
    },
  )
})

describe('the schema check', () => {
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
  ])('finds the faults of %j', (value, faults) => {
    expect(findSchemaFaults(schema, value)).toEqual(faults)
  })

  test('rejects unsupported keywords', () => {
    expect(() => findSchemaFaults({ allOf: [] }, 1)).toThrow('allOf')
  })
})
