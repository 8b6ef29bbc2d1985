import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyWorkspace } from '../support/workspace-copy.ts'
import { applyRecipes, recipes } from './recipes.ts'

const steps = recipes.flatMap((recipe) => recipe.steps)
const paths = [...new Set(steps.map(({ path }) => path))]

/** Everything below takes about 40 seconds of CPU time; test machines may be busy. */
const timeout = 600_000

let copy: string

/** Runs a program of the workspace in the copy; returns its output, and fails with it. */
const run = (program: string, ...given: string[]) =>
  new Promise<string>((resolve, reject) => {
    const options = {
      cwd: copy,
      maxBuffer: 2 ** 26,
      env: { ...process.env, NODE_OPTIONS: '', FORGELET_TEST_PART: undefined },
    }
    execFile(process.execPath, ['--conditions=source', program, ...given], options, (error, stdout, stderr) =>
      error ? reject(new Error(`${program} failed:\n${stdout}${stderr}`)) : resolve(stdout),
    )
  })

const readPassedTests = async (report: string) => {
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    testResults: readonly { assertionResults: readonly { title: string; status: string }[] }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return new Set(results.filter(({ status }) => status === 'passed').map(({ title }) => title))
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'forgelet-recipes-'))
  await copyWorkspace(copy)
  for (const [path, text] of applyRecipes()) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await writeFile(join(copy, path), text)
  }
}, timeout)
afterAll(() => rm(copy, { recursive: true, force: true }))

test('there are recipes for a field, a column, an operation and a feature', () => {
  expect(recipes.map(({ name }) => name)).toEqual([
    'Add an input field',
    'Add a stored field',
    'Add an operation',
    'Add a feature',
  ])
})

const tests = paths.filter((path) => path.endsWith('.test.ts'))

/** Titles of the tests that the recipes add. */
const titles = steps.flatMap(({ code }) =>
  [...code.matchAll(/^\+?test\('(.+)', /gm)].map(([, title]) => title as string),
)

test.concurrent('their types are correct', { timeout }, async () => {
  const config = {
    extends: './tsconfig.json',
    include: ['packages/core/src', 'packages/http/src'],
    exclude: ['**/*.test.ts'],
    files: [...paths.filter((path) => tests.includes(path) || path.startsWith('test/')), 'test/postgres-server.ts'],
  }
  await writeFile(join(copy, 'tsconfig.recipes.json'), JSON.stringify(config))
  // With more than one checker, each checks many types again.
  await run('node_modules/typescript-native/bin/tsc', '--project', 'tsconfig.recipes.json', '--checkers', '1')
})

test.concurrent('their code is formatted', { timeout }, async () => {
  await run('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...paths)
})

test.concurrent('their tests pass, and so do the tests of the tables', { timeout }, async () => {
  await run('test/reference/write.ts')
  const report = join(copy, 'report.json')
  const options = ['run', '--config', 'test/vitest.config.ts', '--project', 'sqlite']
  const reporters = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${report}`]
  const tables = ['test/architecture', 'test/coverage', 'test/reference']
  await run('node_modules/vitest/vitest.mjs', ...options, ...reporters, ...tests, ...tables)
  const passed = await readPassedTests(report)
  expect(passed).toContain('describe every operation, input field and output field')
  expect(titles.length).toBeGreaterThan(5)
  expect(titles.filter((title) => !passed.has(title))).toEqual([])
})
