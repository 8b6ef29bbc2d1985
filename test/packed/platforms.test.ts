import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/run-program.ts'
import { installTools, toolPath } from '../tools/install-tools.ts'
import { installWithNpm, packAll, packedDependencies, root } from './project.ts'

/** The packed packages without native code: in other runtimes, in a bundle, and in a version of Node.js that is too old. */

/** Their programs, in packages of 40 MB each. `FORGELET_TOOLS=skip` skips their tests. */
const runtimes = {
  'Node 20': `node-${process.platform}-${process.arch}/bin/node`,
  Bun: `@oven/bun-${process.platform}-${process.arch}/bin/bun`,
  Deno: `@deno/${process.platform}-${process.arch}-glibc/deno`,
} as const
const hasRuntimes = process.env.FORGELET_TOOLS !== 'skip' && process.platform === 'linux' && process.arch === 'x64'

let folder: string
let project: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forgelet-platforms-'))
  project = join(folder, 'project')
  const tarball = await packAll()
  await installWithNpm(project, packedDependencies(tarball))
  if (hasRuntimes && !(await installTools('runtimes'))) throw new Error('The runtimes could not be downloaded')
  await writeFile(join(project, 'app.mjs'), app)
}, 600_000)

afterAll(() => rm(folder, { recursive: true, force: true }), 60_000)

/** Uses a file, the prebuilt images of the fixtures, rendering, which loads further packages, and a server. */
const app = `
import { createPlatform, sqlite } from '@forgelet/core'
import { copySqlite } from '@forgelet/core/maintenance'
import { fakeForge } from '@forgelet/fixtures'
import { serve } from '@forgelet/http'

const main = async (file) => {
  const platform = createPlatform(sqlite(file))
  const { username } = await platform.as({ system: 'test' }).users.create({ username: 'ada' })
  const { html } = await platform.markdown.render({ text: 'a **b** :tada:' })
  const server = await serve(platform, { port: 0 })
  const { status } = await fetch(server.url + '/api/v4/projects')
  await server.close()
  await copySqlite(file, file + '.copy')
  await platform.close()
  const copy = createPlatform(sqlite(file + '.copy'))
  const { total } = await copy.as({ system: 'test' }).users.list()
  await copy.close()
  const forge = await fakeForge()
  const labels = await (await forge.fetch(forge.url + '/api/v4/projects/acme%2Fweb/labels')).json()
  await forge.close()
  console.log(username, html, status, total, labels.length)
}
main(process.argv[2])
`
const expected = 'ada <p>a <strong>b</strong> :tada:</p>\n 200 1 3'

test('node:sqlite is used where better-sqlite3 is not installed', async () => {
  expect(await run('node', ['app.mjs', 'node.db'], project)).toBe(expected)
  await expect(run('node', ['-e', "require('better-sqlite3')"], project)).rejects.toThrow('Cannot find module')
})

test('the error of a runtime without a SQLite driver states what to install', async () => {
  const code = `delete process.getBuiltinModule('node:sqlite').DatabaseSync.prototype.deserialize
    const { sqlite } = require('@forgelet/core')
    for (const driver of [undefined, 'better-sqlite3', 'node:sqlite']) {
      try { sqlite(':memory:', { driver }) } catch (error) { console.log(error.message) }
    }`
  const [none, better, builtIn, ...others] = (await run('node', ['-e', code], project)).split('\n')
  const advice = 'Install better-sqlite3 (`npm install better-sqlite3`), or use Node.js 24.16 or newer.'
  const builtInProblem = `node:sqlite of Node.js ${process.versions.node} cannot be used, because it cannot serialize databases`
  expect(none).toBe(`No SQLite driver was found: better-sqlite3 is not installed, and ${builtInProblem}. ${advice}`)
  expect(better).toBe(`The SQLite driver better-sqlite3 is not installed. ${advice}`)
  expect(builtIn).toBe(`The SQLite driver ${builtInProblem}. ${advice}`)
  expect(others).toEqual([])
})

test('a CommonJS bundle runs', async () => {
  const bundle = ['--bundle', '--platform=node', '--format=cjs', '--outfile=bundle/app.cjs', '--log-level=error']
  await run(join(root, 'node_modules', '.bin', 'esbuild'), ['app.mjs', ...bundle], project)
  // The prebuilt data of the fixtures is not part of the bundle and is created at run time.
  expect(await run('node', ['bundle/app.cjs', 'bundle.db'], project)).toBe(expected)
})

describe.skipIf(!hasRuntimes)('runtimes', () => {
  const pathOf = (name: keyof typeof runtimes) => toolPath(runtimes[name], 'runtimes')

  test('Bun', async () => {
    expect(await run(pathOf('Bun'), ['app.mjs', 'bun.db'], project)).toBe(expected)
  })

  test('Deno', async () => {
    expect(await run(pathOf('Deno'), ['run', '--allow-all', 'app.mjs', 'deno.db'], project)).toBe(expected)
  })

  const message = /Forgelet needs Node\.js 22\.18 or newer; this is 20\.\d+\.\d+\. Install a current Node\.js/
  const entries = ['core', 'core/operations', 'core/seed', 'core/policy', 'core/maintenance', 'http', 'fixtures']

  test.each(entries)('@forgelet/%s rejects Node 20 with the required version', async (entry) => {
    const imported = run(pathOf('Node 20'), ['--input-type=module', '-e', `import '@forgelet/${entry}'`], project)
    await expect(imported).rejects.toThrow(message)
  })

  test('the command rejects Node 20 with the required version', async () => {
    const command = join(project, 'node_modules', '@forgelet', 'http', 'dist', 'cli.js')
    const failed = await run(pathOf('Node 20'), [command, 'serve'], project).catch((error: Error) => error.message)
    expect(failed).toMatch(message)
    expect(failed).not.toContain('    at ')
  })
})
