import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOpenApiDocument } from '../../packages/http/src/openapi/document.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { client } from '../contract/client.ts'
import { createResponseCheck } from './response-check.ts'

type Json = Readonly<Record<string, unknown>>

interface MediaType {
  readonly schema: Json
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
}

type Content = Readonly<Record<string, MediaType>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly example?: unknown
}

interface OpenApiOperation {
  readonly security: readonly Json[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

let forge: FakeForge
let document: Document
beforeAll(async () => {
  forge = await fakeForge()
  document = (await client(forge)('GET /openapi.json')).body as Document
})
afterAll(() => forge.close())

/** The linter validates every example, which takes 10 s of processor time. */
const timeout = 300_000

/** Runs the linter in a separate process, without update checks and telemetry. */
const lint = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, text)
    const program = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
    const args = [program, 'lint', file, '--config', join(import.meta.dirname, 'redocly.yaml'), '--format', 'json']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const run = promisify(execFile)(process.execPath, args, { env, cwd: folder, timeout, maxBuffer: 2 ** 26 })
    const { stdout } = await run.catch((failed: { stdout: string }) => failed)
    return JSON.parse(stdout) as { totals: { errors: number; warnings: number }; problems: readonly Json[] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 without linter problems', { timeout }, async () => {
    expect(document.openapi).toBe('3.1.0')
    const { totals, problems } = await lint(JSON.stringify(document))
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test('of the control plane has no linter problems either', { timeout }, async () => {
    const control = await (await forge.fetch(`${forge.url}/_forgelet/openapi.json`)).text()
    const { totals, problems } = await lint(control)
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test('with an error is reported by the linter', { timeout }, async () => {
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

type Schema = Json & { readonly properties?: Readonly<Record<string, Json>> }

/** All JSON Schemas of the document, with their location. */
const listSchemas = (value: unknown, path = ''): (readonly [path: string, schema: Schema])[] => {
  if (value === null || typeof value !== 'object') return []
  const inner = Object.entries(value).flatMap(([key, child]) => listSchemas(child, `${path}/${key}`))
  return 'type' in value && typeof value.type === 'string' ? [[path, value as Schema], ...inner] : inner
}

/** The fields of all responses, with their schemas. */
const listFields = () =>
  listSchemas(document.components.schemas).flatMap(([path, { properties = {} }]) =>
    path.includes('Body') ? [] : Object.entries(properties).map(([name, schema]) => ({ name, path, schema })),
  )

const listOperations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ line: `${method.toUpperCase()} ${path}`, ...operation })),
  )

const needsComment = (name: string) =>
  `${name} has no description: write a comment beside it, then run pnpm docs:reference`

/** The fields without a description, also those of inner objects. */
const listUndescribedFields = (schema: unknown, path: string): readonly string[] => {
  if (schema === null || typeof schema !== 'object') return []
  if (Array.isArray(schema)) return schema.flatMap((inner) => listUndescribedFields(inner, path))
  const { properties = {}, items, anyOf, additionalProperties } = schema as Json
  return [
    ...Object.entries(properties as Readonly<Record<string, Json>>).flatMap(([name, inner]) => [
      ...(inner.description ? [] : [`${path}.${name}`]),
      ...listUndescribedFields(inner, `${path}.${name}`),
    ]),
    ...[items, anyOf, additionalProperties].flatMap((inner) => listUndescribedFields(inner, path)),
  ]
}

/** Types and formats of a schema, also those of its alternatives. */
const typesOf = ({ type, format, anyOf }: Json): unknown[] => [
  ...(type === undefined ? [] : [format ?? type]),
  ...((anyOf as Json[] | undefined) ?? []).flatMap(typesOf),
]

describe('the security of an operation', () => {
  const isOpen = ({ security }: OpenApiOperation) =>
    security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0)
  const listOperations = () =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
    )

  test('requires a credential for every route that rejects requests without one', async () => {
    const send = client(forge)
    const wrong: string[] = []
    for (const { path, method, operation } of listOperations()) {
      if (isOpen(operation)) continue
      const { status } = await send(`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '1')}`)
      // 404 where the objects of another kind are open: the operation looks for its object first.
      if (status !== 401 && status !== 404) wrong.push(`${method} ${path}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  test('is optional where the policy can permit requests without a credential', () => {
    const open = listOperations().filter(({ operation }) => isOpen(operation))
    const lines = open.map(({ path, method }) => `${method} ${path}`)
    expect(lines).toContain('get /api/v4/projects/{id}/labels')
    expect(lines.filter((line) => !line.startsWith('get '))).toEqual([
      'post /api/v4/markdown',
      // Applications have the key or the token of the project.
      'post /api/v4/error_tracking/collector/api/{project_id}/envelope',
      'post /api/v4/error_tracking/collector/api/{project_id}/store',
      'post /api/v4/feature_flags/unleash/{project_id}/client/register',
      'post /api/v4/feature_flags/unleash/{project_id}/client/metrics',
      // The token of the trigger is a parameter.
      'post /api/v4/projects/{id}/trigger/pipeline',
      'post /api/v4/projects/{id}/ref/{ref}/trigger/pipeline',
      // So are those of runners and of their jobs.
      'delete /api/v4/runners',
      'post /api/v4/runners',
      'delete /api/v4/runners/{runner_id}',
      'post /api/v4/runners/verify',
      'post /api/v4/runners/reset_authentication_token',
      'post /api/v4/runners/{runner_id}/reset_authentication_token',
      'post /api/v4/jobs/request',
      'put /api/v4/jobs/{job_id}',
      'patch /api/v4/jobs/{job_id}/trace',
      'post /api/v4/jobs/{job_id}/artifacts',
    ])
  })
})

describe('schemas', () => {
  test('of responses name the fields of every object', () => {
    const loose = listSchemas(document.components).filter(
      ([path, { type, properties, additionalProperties }]) =>
        type === 'object' &&
        !path.includes('Body') &&
        !properties &&
        (!additionalProperties || Object.keys(additionalProperties).length === 0),
    )
    // The body of a webhook has the fields of its event, artifacts and caches those of the pipeline file, and front matter any.
    expect(loose.map(([path]) => path)).toEqual([
      '/schemas/HookDelivery/properties/request_data',
      '/schemas/RunnerJob/properties/artifacts/items',
      '/schemas/RunnerJob/properties/cache/items',
      '/schemas/WikiPage/properties/front_matter',
    ])
  })

  test('have integers for ids, counts and sizes', () => {
    const numbers = listFields().filter(
      ({ name, schema }) => /^(i?id|.*_(i?id|ids|count|size|level))$/.test(name) && typesOf(schema).includes('number'),
    )
    expect(numbers).toEqual([])
  })

  test('have formats for times and days', () => {
    const plain = listFields().filter(
      ({ name, schema }) => /_(at|date|on)$/.test(name) && typesOf(schema).some((type) => type === 'string'),
    )
    expect(plain.map(({ name, path }) => `${path} ${name}`)).toEqual([])
  })

  test('of domain types are named', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'Event',
        'Group',
        'Issue',
        'Label',
        'MergeRequest',
        'Note',
        'Project',
        'ScimUser',
        'Todo',
      ]),
    )
    const inline = listOperations().filter(({ responses }) =>
      Object.values(responses).some(({ content = {} }) =>
        Object.entries(content).some(([type, { schema }]) => type.includes('json') && schema.properties),
      ),
    )
    expect(inline).toEqual([])
  })
})

describe('descriptions', () => {
  test('exist for every operation and every parameter', () => {
    const missing = listOperations().flatMap(({ line, summary, description, parameters = [] }) => [
      ...(summary && description && !description.startsWith('Allowed to') ? [] : [line]),
      ...parameters.filter((one) => !one.description).map(({ name }) => `${line}: ${name}`),
    ])
    expect(missing.map(needsComment)).toEqual([])
  })

  test('exist for every schema and every field', () => {
    const { schemas } = document.components
    const missing = Object.entries(schemas).flatMap(([title, schema]) => [
      ...(title.endsWith('Body') || schema.description ? [] : [title]),
      ...listUndescribedFields(schema, title),
    ])
    expect(missing.map(needsComment)).toEqual([])
  })
})

describe('integers', () => {
  test('have a format', () => {
    const plain = listSchemas(document).filter(([, { type, format }]) => type === 'integer' && format === undefined)
    expect(plain.map(([path]) => path).filter((path) => !path.includes('/headers/'))).toEqual([])
  })

  test('have 64 bits unless they are limited', () => {
    const schemas = document.components.schemas as Readonly<Record<string, { readonly properties: Json }>>
    expect(schemas.Label?.properties.id).toMatchObject({ type: 'integer', format: 'int64' })
    expect(schemas.ApplicationSettings?.properties.session_expire_delay).toMatchObject({
      type: 'integer',
      format: 'int32',
    })
  })
})

describe('responses', () => {
  const statusesOf = (line: string) =>
    Object.keys(listOperations().find((operation) => operation.line === line)?.responses ?? {})

  test.each([
    ['GET /api/v4/projects/{id}/labels', ['200', '304', '400', '401', '403', '404', '414', '500', '503']],
    [
      'DELETE /api/v4/snippets/{id}',
      ['204', '400', '401', '403', '404', '409', '412', '413', '414', '415', '500', '503', '507'],
    ],
    [
      'GET /api/v4/projects/{id}/repository/archive',
      ['200', '400', '401', '403', '404', '414', '422', '429', '500', '503'],
    ],
    [
      'POST /api/scim/v2/groups/{group_path}/Users',
      ['201', '400', '401', '403', '404', '409', '413', '414', '415', '500', '503', '507'],
    ],
    ['GET /-/readiness', ['200', '421', '503']],
    ['GET /-/metrics', ['200', '404', '421']],
  ])('of %s have the statuses that can occur', (line, statuses) => {
    expect(statusesOf(line)).toEqual(statuses)
  })

  test.each([
    ['GET /api/v4/snippets/{id}/raw', 'text/plain'],
    ['GET /api/v4/projects/{id}/repository/archive.zip', 'application/zip'],
    ['GET /api/v4/projects/{id}/uploads/{secret}/{filename}', 'application/octet-stream'],
    ['GET /api/scim/v2/groups/{group_path}/Schemas', 'application/scim+json'],
  ])('of %s have the content %s', (line, type) => {
    const operation = listOperations().find((candidate) => candidate.line === line)
    expect(Object.keys(operation?.responses[200]?.content ?? {})).toEqual([type])
  })

  test('have the status of created objects', () => {
    const created = createOpenApiDocument(routes, { url: '' }, 201) as unknown as Document
    expect(created.paths['/api/v4/projects/{id}/labels']?.post?.responses).toHaveProperty('201')
    expect(created.paths['/api/v4/geo_nodes/{id}/repair']?.post?.responses).toHaveProperty('200')
  })
})

test('every body can be sent as JSON and as a form, with files where there are any, or is a file', () => {
  const types = listOperations().flatMap(({ line, requestBody }) =>
    requestBody && !line.includes('/scim/') ? [Object.keys(requestBody.content).join()] : [],
  )
  expect([...new Set(types)].sort()).toEqual([
    'application/json,application/x-www-form-urlencoded',
    'application/json,application/x-www-form-urlencoded,multipart/form-data',
    'application/octet-stream',
    'multipart/form-data',
  ])
})

describe('requests', () => {
  const findOperation = (line: string) => listOperations().find((operation) => operation.line === line)
  const bodyOf = (line: string): Schema => {
    const { schema } = Object.values(findOperation(line)?.requestBody?.content ?? {})[0] as { schema: { $ref: string } }
    return document.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema
  }
  const users = '/api/scim/v2/groups/{group_path}/Users'

  test.each([`GET ${users}`, `POST ${users}`, `GET ${users}/{id}`, `PUT ${users}/{id}`])(
    '%s can select attributes in the query',
    (line) => {
      const inQuery = findOperation(line)?.parameters?.filter((parameter) => parameter.in === 'query')
      expect(inQuery?.map(({ name }) => name)).toEqual(expect.arrayContaining(['attributes', 'excludedAttributes']))
    },
  )

  test.each([
    [`POST ${users}`, ['userName', 'name', 'emails', 'externalId']],
    [`PUT ${users}/{id}`, ['userName', 'name', 'emails']],
    [`PATCH ${users}/{id}`, ['Operations']],
  ])('%s names the fields of its body', (line, required) => {
    const { properties = {}, required: actual } = bodyOf(line)
    expect(actual).toEqual(required)
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...required, 'schemas']))
  })

  test.each(['POST /api/v4/snippets', 'PUT /api/v4/snippets/{id}'])('%s can have files', (line) => {
    expect(bodyOf(line).properties?.files).toMatchObject({
      type: 'array',
      items: { properties: { file_path: { type: 'string' }, content: { type: 'string' } } },
    })
  })
})

test('every path parameter and every body with required fields has an example', () => {
  const faults = listOperations().flatMap(({ line, parameters = [], requestBody }) => [
    ...parameters.filter((one) => one.in === 'path' && one.example === undefined).map(({ name }) => `${line}: ${name}`),
    ...Object.entries(requestBody?.content ?? {})
      .filter(([type, { example }]) => type !== 'multipart/form-data' && example === undefined)
      .map(([type]) => `${line}: ${type}`),
  ])
  expect(faults).toEqual([])
})

describe('examples of responses', () => {
  /** Media types of files have no example. */
  const hasExample = ([type, { schema, example, examples }]: [string, MediaType]) =>
    schema.format === 'binary' ||
    example !== undefined ||
    (type.includes('json') && Object.keys(examples ?? {}).length > 0)

  test('exist for every operation', () => {
    const faults = listOperations().flatMap(({ line, responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).every(hasExample) ? [] : [`${line}: ${status}`],
      ),
    )
    expect(faults).toEqual([])
  })

  test('have a value for every field', () => {
    const listTexts = (value: unknown, path: string): readonly string[] => {
      if (value !== null && typeof value === 'object') {
        return Object.entries(value).flatMap(([key, inner]) => listTexts(inner, `${path}.${key}`))
      }
      return value === 'string' ? [path] : []
    }
    const advice = 'has no example: add one to packages/http/src/openapi/example-values.ts'
    expect(listTexts(document.components.examples, '').map((path) => `${path} ${advice}`)).toEqual([])
  })

  test('describe the demo data', () => {
    expect(document.components.examples.Label?.value).toMatchObject({ name: 'bug', color: '#D9534F' })
    expect(document.components.examples.LabelList?.value).toEqual([document.components.examples.Label?.value])
  })
})

describe('the response check', () => {
  const check = createResponseCheck()
  const error = { contentType: 'application/json', status: 404, text: '{"message":"404 Not Found"}' }
  const version = { method: 'GET', path: '/api/v4/version' } as const
  const respond = (body: object, status = 200) =>
    check(version, { status, contentType: 'application/json', text: JSON.stringify(body) })
  const valid = { version: '1', revision: 'a', enterprise: false }

  test('accepts documented responses', () => {
    expect(respond(valid)).toEqual([])
    expect(check(version, error)).toEqual([])
  })

  test.each([
    ['a missing field', respond({ ...valid, version: undefined }), "must have required property 'version'"],
    ['a field of another type', respond({ ...valid, version: 1 }), '/version must be string'],
    ['an undocumented field', respond({ ...valid, secret: 'x' }), 'must NOT have additional properties'],
    ['an undocumented status', respond(valid, 418), '418 is not documented'],
    ['an undocumented media type', check(version, { ...error, contentType: 'text/html' }), 'media type text/html'],
  ])('reports %s', (_, faults, text) => {
    expect(faults).toEqual([expect.stringContaining(text)])
  })
})
