import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import tsconfig from '../../tsconfig.json' with { type: 'json' }
import { buildPrograms } from '../support/built-programs.ts'
import { root, snippets } from './snippets.ts'

/** Inside the workspace, so that package names resolve; ignored by git. */
const folder = join(root, 'test', 'artefacts', `snippets-${process.pid}`)
const nameOf = (place: string) => place.replace(/\W+/g, '-')
const fileOf = (place: string) => join(folder, `${nameOf(place)}.ts`)
const executed = snippets.filter(({ runs }) => runs)

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  for (const { place, code } of snippets) await writeFile(fileOf(place), code)
  await buildPrograms(folder, Object.fromEntries(executed.map(({ place }) => [nameOf(place), fileOf(place)])))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('most snippets run', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(10)
  expect(executed.length).toBeGreaterThan(snippets.length / 2)
})

describe('prints the documented output', () => {
  test.each(executed)('$place', { timeout: 120_000 }, async ({ place, prints }) => {
    const empty = await mkdtemp(join(tmpdir(), 'forgelet-snippet-'))
    try {
      const program = join(folder, `${nameOf(place)}.js`)
      expect(prints.length).toBeGreaterThan(0)
      // Readers run the examples of the README more than once in the same folder.
      for (let run = place.startsWith('README') ? 2 : 1; run > 0; run--) {
        const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: empty, timeout: 50_000 })
        expect(stdout.split('\n').filter(Boolean)).toEqual(prints)
      }
    } finally {
      await rm(empty, { recursive: true, force: true })
    }
  })
})

test('the examples of the READMEs compile without the types of browsers', { timeout: 120_000 }, () => {
  const files = snippets.filter(({ place }) => place.includes('README')).map(({ place }) => fileOf(place))
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...tsconfig.compilerOptions, lib: ['es2024', 'esnext.disposable'] },
    root,
  )
  const program = ts.createProgram(files, options)
  const problems = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
})

describe('links', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync('docs/{*,guide/*,decisions/*}.md', { cwd: root }),
  ]

  test.each(pages)('%s links to existing files', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, target]) => target as string)
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([])
  })
})
