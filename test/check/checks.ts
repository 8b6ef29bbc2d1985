import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const concurrency = Math.max(2, availableParallelism())

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Relative to the root. Default: the root. */
  readonly folder?: string
  /** Names of the checks that have to pass before. */
  readonly after?: readonly string[]
  /** Prints its output while it runs. By default the output is printed after a failure. */
  readonly isVerbose?: boolean
}

/** The tests of `FORGELET_TEST_PART`. They begin while the last checks run, so that no processor is idle. */
const testsAfter = (...after: string[]): Check => ({
  name: 'tests',
  command: ['vitest', 'run', '--config', 'test/vitest.config.ts'],
  after,
  isVerbose: true,
})

const build = (name: string, ...after: string[]): Check => ({
  name: `build ${name}`,
  command: ['tsup'],
  folder: `packages/${name}`,
  after,
})

const types: Check = { name: 'types', command: ['node', 'test/check/types.ts'] }

/** For contributors: types, and the fast tests on SQLite, without those that start servers or hundreds of git processes. */
const quickChecks: readonly Check[] = [
  types,
  {
    name: 'tests',
    command: [
      ...(['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'sqlite'] as const),
      ...['features', 'kernel', 'platform'].map((folder) => `packages/core/src/${folder}`),
      ...[
        'test/architecture',
        'test/contract',
        'test/docs/recipe-steps',
        '--exclude',
        '**/{pages-domains,remote-mirrors,merging,repository}/**',
        '--exclude',
        '**/hostile.test.ts',
      ],
    ],
  },
]

/** Checks of the sources. */
const mainChecks: readonly Check[] = [
  types,
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'unused code', command: ['knip'] },
]

/** Checks of the built packages. */
const restChecks: readonly Check[] = [
  { name: 'types of core', command: ['node', '--run', 'declare'], folder: 'packages/core' },
  build('core', 'types of core'),
  build('http', 'build core'),
  build('fixtures', 'build http'),
  {
    // The last step of the build of each package. It changes declarations, which the builds above read.
    name: 'declarations',
    command: ['node', 'packages/finish-declarations.ts', 'packages/core', 'packages/http', 'packages/fixtures'],
    after: ['build fixtures'],
  },
  { name: 'reference', command: ['typedoc', '--emit', 'none'], after: ['declarations'] },
]

const selections: Readonly<Record<string, readonly Check[]>> = {
  main: [...mainChecks, testsAfter('format and lint', 'unused code')],
  rest: [...restChecks, testsAfter('declarations')],
  '--quick': quickChecks,
}
// The longest chain is first, so that no processor is idle at the end.
const checks = selections[process.argv[2] ?? ''] ?? [...restChecks, ...mainChecks]
const started = performance.now()
const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`

/** Runs one check and prints its output: only if it fails, unless it is verbose. */
const run = ({ name, command: [program, ...rest], folder = '.', isVerbose = false }: Check): Promise<boolean> =>
  new Promise((resolve) => {
    const start = performance.now()
    const output: Buffer[] = []
    const child = spawn(program, rest, {
      cwd: join(root, folder),
      stdio: isVerbose ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
    })
    child.stdout?.on('data', (data: Buffer) => output.push(data))
    child.stderr?.on('data', (data: Buffer) => output.push(data))
    child.on('error', (error) => output.push(Buffer.from(String(error))))
    child.on('close', (code) => {
      const passed = code === 0
      // The last line of the tests is their total.
      if (!passed || !isVerbose) console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds(start)})`)
      if (!passed) console.log(Buffer.concat(output).toString('utf8'))
      resolve(passed)
    })
  })

/** Runs the checks, as many at a time as there are processors. After a failure, no further check starts. */
const runAll = async () => {
  const waiting = [...checks]
  const passed = new Set<string>()
  let failed = 0
  const isReady = ({ after = [] }: Check) => after.every((name) => passed.has(name))
  const running = new Set<Promise<void>>()
  for (;;) {
    const index = failed || running.size >= concurrency ? -1 : waiting.findIndex(isReady)
    const [check] = index < 0 ? [] : waiting.splice(index, 1)
    if (check) {
      const ended = run(check).then((succeeded) => {
        if (succeeded) passed.add(check.name)
        else failed++
        running.delete(ended)
      })
      running.add(ended)
    } else if (running.size) await Promise.race(running)
    else return { passed: passed.size, failed }
  }
}

const { passed, failed } = await runAll()
if (failed) {
  // The same format as the last line of a test run.
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = 1
} else if (!checks.some(({ isVerbose }) => isVerbose)) {
  console.log(`All checks passed in ${seconds(started)}`)
}
