import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOpenApiDocument } from '../../packages/http/src/openapi/document.ts'
import { routes } from '../../packages/http/src/routes.ts'

/** Clients that generators create from the OpenAPI document compile, and their types have the documented fields. */

const modules = join(import.meta.dirname, '../../node_modules')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forgelet-clients-'))
  await symlink(modules, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const document = createOpenApiDocument(routes, { url: 'https://forge.test' })
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (program: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(modules, program), ...args], { cwd: folder, maxBuffer: 2 ** 26 })

const compilerOptions = {
  target: 'es2023',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: [],
}

/** The errors of the TypeScript compiler for a client and a file that uses it. */
const compile = async (usage: string): Promise<string> => {
  await writeFile(join(folder, 'usage.ts'), usage)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['usage.ts'] }))
  return run('typescript-native/bin/tsc', '--project', '.').then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

/** Compiles only if these fields of an event and a todo have these types. */
const fieldsOf = (event: string, todo: string) => `
  export const body = (event: ${event}): string | undefined => event.note?.body
  export const commits = (event: ${event}): number | undefined => event.push_data?.commit_count
  export const project = (todo: ${todo}): string | undefined => todo.project?.path_with_namespace
  export const target = (todo: ${todo}): { readonly web_url: string } => todo.target
`

const timeout = 300_000

test('openapi-typescript', { timeout }, async () => {
  await run('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'openapi-typescript.ts')
  const schema = (name: string) => `components['schemas']['${name}']`
  const usage = `import type { components } from './openapi-typescript.ts'${fieldsOf(schema('Event'), schema('Todo'))}`
  expect(await compile(usage)).toBe('')
})

test('@hey-api/openapi-ts', { timeout }, async () => {
  await run('@hey-api/openapi-ts/bin/run.js', '--input', 'openapi.json', '--output', 'hey-api')
  const usage = `import type { Event, Todo } from './hey-api/types.gen.js'
export { getEvents, postProjectsIdUploads, getProjectsIdRepositoryArchive } from './hey-api/sdk.gen.js'
${fieldsOf('Event', 'Todo')}`
  expect(await compile(usage)).toBe('')
})

test('oazapfts', { timeout }, async () => {
  await run('oazapfts/dist/cli.js', 'openapi.json', 'oazapfts.ts')
  const usage = `import type { Event, Todo } from './oazapfts.ts'
export { getEvents, postProjectsIdUploads, getProjectsIdRepositoryArchive } from './oazapfts.ts'
${fieldsOf('Event', 'Todo')}`
  expect(await compile(usage)).toBe('')
})
