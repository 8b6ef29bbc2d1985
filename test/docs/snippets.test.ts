import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SnippetResult } from './snippet-runner.ts'
import { root, snippets } from './snippets.ts'

/** Inside the workspace, so that package names resolve; ignored by git. */
const folder = join(root, 'test', 'artefacts', `snippets-${process.pid}`)
const folderOf = (place: string) => join(folder, place.replace(/\W+/g, '-'))
const executed = snippets.filter(({ runs }) => runs)

/** Readers run the examples of the README more than once in the same folder. */
const countRuns = (place: string) => (place.startsWith('README') ? 2 : 1)
const runs = executed.flatMap(({ place }) => Array.from({ length: countRuns(place) }, () => place))

const runner = join(import.meta.dirname, 'snippet-runner.ts')
/** The results of the runs, in order. If a snippet leaves something open, its own and all later results are missing. */
let results: readonly SnippetResult[]
/** What the process that runs the snippets reported. */
let errors: string

beforeAll(async () => {
  for (const { place, code } of executed) {
    await mkdir(folderOf(place), { recursive: true })
    await writeFile(`${folderOf(place)}.ts`, code)
  }
  const programs = runs.flatMap((place) => [`${folderOf(place)}.ts`, folderOf(place)])
  const child = promisify(execFile)(process.execPath, ['--conditions=source', runner, ...programs], {
    timeout: 110_000,
  })
  const { stdout, stderr } = await child.catch((error: { stdout: string; stderr: string }) => error)
  results = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line) as SnippetResult] : []))
  errors = stderr
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('most snippets run', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(10)
  expect(executed.length).toBeGreaterThan(snippets.length / 2)
})

test('every snippet closes what it opens', () => {
  expect(runs[results.length], `The first snippet that does not end. ${errors}`).toBeUndefined()
})

describe('prints the documented output', () => {
  test.each(executed)('$place', ({ place, prints }) => {
    expect(prints.length).toBeGreaterThan(0)
    const own = results.filter((_, index) => runs[index] === place)
    expect(own.length, 'It or an earlier snippet does not end').toBe(countRuns(place))
    for (const { printed, failure } of own) {
      expect(failure).toBeUndefined()
      expect(printed.split('\n').filter(Boolean)).toEqual(prints)
    }
  })
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
