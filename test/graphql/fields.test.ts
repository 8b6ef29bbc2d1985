import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fullSeed, readIds } from '../full-seed.ts'
import { world } from '../world.ts'
import { createClient, hostileValues } from './client.ts'
import {
  type InputField,
  isRequired,
  namedType,
  readTypes,
  selectLeaves,
  type TypeReference,
  type Types,
} from './introspection.ts'

let forge: FakeForge
let types: Types
let paths: Readonly<Record<string, readonly [string, string]>>
const client = createClient(() => forge)
const { data, send } = client

beforeAll(async () => {
  forge = await world({ seed: fullSeed, time: '2026-01-01T00:00:00Z' })
  const ids = await readIds(forge)
  await forge.as('bob').releases.create({ project: 'acme/web', tagName: 'v9', ref: 'main' })
  types = await readTypes(client)
  const project = (selection: string): [string, string] => ['{ project(fullPath: "acme/web") { ', `${selection} } }`]
  const inProject = (field: string): [string, string] => [`${project('')[0]}${field} { `, ' } } }']
  const [pipeline] = (await forge.host.pipelines.list({ project: 'acme/web' })).items
  paths = {
    Query: ['{ ', ' }'],
    Project: ['{ project(fullPath: "acme/web") { ', ' } }'],
    Group: ['{ group(fullPath: "acme") { ', ' } }'],
    Namespace: ['{ namespace(fullPath: "acme/web") { ', ' } }'],
    CurrentUser: ['{ currentUser { ', ' } }'],
    UserCore: ['{ user(username: "alice") { ', ' } }'],
    Issue: inProject('issue(iid: "1")'),
    MergeRequest: inProject('mergeRequest(iid: "1")'),
    Note: [`{ note(id: "gid://gitlab/Note/${ids.merge_requests_note}") { `, ' } }'],
    Milestone: [`{ milestone(id: "gid://gitlab/Milestone/${ids.milestone_id}") { `, ' } }'],
    WorkItem: ['{ namespace(fullPath: "acme/web") { workItem(iid: "1") { ', ' } } }'],
    Repository: inProject('repository'),
    Tree: ['{ project(fullPath: "acme/web") { repository { tree { ', ' } } } }'],
    Pipeline: inProject(`pipeline(iid: "${pipeline?.iid}")`),
    Release: inProject('release(tagName: "v9")'),
    Discussion: [`{ note(id: "gid://gitlab/Note/${ids.merge_requests_note}") { discussion { `, ' } } }'],
    Todo: ['{ currentUser { todos(first: 1) { nodes { ', ' } } } }'],
  }
})
afterAll(() => forge.close())

/** The argument of each field that has required ones. */
const required: Readonly<Record<string, string>> = {
  'Query.project': 'fullPath: "acme/web"',
  'Query.group': 'fullPath: "acme"',
  'Query.namespace': 'fullPath: "acme"',
  'Query.user': 'username: "bob"',
  'Query.echo': 'text: "Hi"',
  'Query.issue': 'id: "gid://gitlab/Issue/1"',
  'Query.mergeRequest': 'id: "gid://gitlab/MergeRequest/1"',
  'Query.workItem': 'id: "gid://gitlab/WorkItem/1"',
  'Query.note': 'id: "gid://gitlab/Note/1"',
  'Query.awardable': 'id: "gid://gitlab/Note/1"',
  'Query.milestone': 'id: "gid://gitlab/Milestone/1"',
  'Project.issue': 'iid: "1"',
  'Project.mergeRequest': 'iid: "1"',
  'Project.release': 'tagName: "v9"',
  'Project.pipeline': 'iid: "1"',
  'Namespace.workItem': 'iid: "1"',
  'Repository.blobs': 'paths: ["README.md"]',
}

test('each field of each type can be selected', async () => {
  const unused = new Set(Object.keys(required))
  for (const [type, [start, end]] of Object.entries(paths)) {
    for (const field of types.get(type)?.fields ?? []) {
      const name = `${type}.${field.name}`
      unused.delete(name)
      const first = field.args.some((arg) => arg.name === 'first') ? ['first: 3'] : []
      const given = [...(required[name] === undefined ? [] : [required[name]]), ...first]
      const args = given.length ? `(${given.join(', ')})` : ''
      const query = `${start}${field.name}${args} ${selectLeaves(types, field.type)}${end}`
      const { status, errors } = await send(query, { as: 'alice' })
      expect({ name, status, errors }).toEqual({ name, status: 200, errors: undefined })
    }
  }
  expect([...unused]).toEqual([])
})

/** A value for each field of an input, where all texts are hostile. */
const createValue = (
  type: TypeReference,
  text: string,
  count: number,
  known: Readonly<Record<string, unknown>>,
  name = '',
): unknown => {
  if (name in known) return known[name]
  if (type.kind === 'NON_NULL') return createValue(type.ofType as TypeReference, text, count, known, name)
  if (type.kind === 'LIST') return [createValue(type.ofType as TypeReference, text, count, known)]
  const definition = types.get(type.name as string)
  if (type.kind === 'ENUM') return definition?.enumValues?.[0]?.name
  if (type.kind === 'INPUT_OBJECT') return createInput(definition?.inputFields ?? [], text, count, known)
  if (type.name === 'Boolean') return true
  return type.name === 'Int' || type.name === 'Float' ? count : text
}

const createInput = (
  fields: readonly InputField[],
  text: string,
  count: number,
  known: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fields.map((field) => [field.name, createValue(field.type, text, count, known, field.name)]))

const formatType = ({ kind, name, ofType }: TypeReference): string => {
  if (kind === 'NON_NULL') return `${formatType(ofType as TypeReference)}!`
  return kind === 'LIST' ? `[${formatType(ofType as TypeReference)}]` : String(name)
}

const hostile = [
  ...hostileValues,
  'gid://gitlab/Issue/999999999999999',
  'gid://gitlab/WorkItem/1000000000001',
  'gid://gitlab/Discussion/ffffffffffffffffffffffffffffffffffffffff',
  'gid://gitlab/constructor/1',
  'eyJwb3NpdGlvbiI6OTk5OTk5OTk5OX0',
]

/** Forward and backward pages without cursors, and a page with both. */
const pages = [{ last: null, before: null, after: null }, { first: null, before: null, after: null }, {}]

describe('hostile values', () => {
  test('in arguments of fields', async () => {
    for (const [type, [start, end]] of Object.entries(paths)) {
      for (const { name, args, type: result } of types.get(type)?.fields ?? []) {
        if (!args.length) continue
        const declared = args.map((arg) => `$${arg.name}: ${formatType(arg.type)}`).join(', ')
        const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
        const leaf = ['SCALAR', 'ENUM'].includes(namedType(result).kind) ? '' : '{ __typename }'
        const query = `query (${declared}) ${start}${name}(${given}) ${leaf}${end}`
        for (const [at, text] of hostile.entries()) {
          const variables = createInput(args, text, 3, pages[at % pages.length] ?? {})
          const { status } = await send(query, { as: 'bob', variables })
          expect([200, 400], `${type}.${name} ${text.slice(0, 20)}`).toContain(status)
        }
      }
    }
  }, 90_000)

  test('in inputs of mutations', async () => {
    const mutations = types.get('Mutation')?.fields ?? []
    expect(mutations.length).toBeGreaterThan(35)
    const targets = [
      {},
      { projectPath: 'acme/web', namespacePath: 'acme/web', iid: '1' },
      { id: 'gid://gitlab/WorkItem/1', noteableId: 'gid://gitlab/MergeRequest/1', awardableId: 'gid://gitlab/Note/1' },
      {
        projectPath: 'acme/web',
        groupPath: null,
        namespacePath: 'acme',
        workItemTypeId: 'gid://gitlab/WorkItems::Type/8',
      },
    ]
    for (const [index, { name, args }] of mutations.entries()) {
      const [input] = args
      if (!input) throw new Error(`${name} has no input`)
      const query = `mutation ($input: ${formatType(input.type)}) { ${name}(input: $input) { errors } }`
      const fields = types.get(namedType(input.type).name as string)?.inputFields ?? []
      for (const [at, text] of hostile.entries()) {
        const known = targets[(at + index) % targets.length] ?? {}
        const { status } = await send(query, { as: 'bob', variables: { input: createInput(fields, text, -1, known) } })
        expect([200, 400], `${name} ${text.slice(0, 20)}`).toContain(status)
      }
      const requiredOnly = createInput(fields.filter(isRequired), 'x', 0, {})
      const { status } = await send(query, { as: 'bob', variables: { input: requiredOnly } })
      expect([200, 400], name).toContain(status)
    }
  })

  test('objects instead of ids', async () => {
    const query = 'query ($id: WorkItemID!) { workItem(id: $id) { id } }'
    for (const id of [{ toString: 1 }, [], {}, 7, true]) {
      const { status, errors } = await send(query, { as: 'bob', variables: { id } })
      expect({ status, message: errors[0].message }).toEqual({
        status: 200,
        message: expect.stringContaining('is not a global id'),
      })
    }
    expect((await data('{ issue(id: "gid://gitlab/Issue/999999") { id } }', { as: 'bob' })).issue).toBeNull()
  })
})
