import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Relative to the root. Default: the root. */
  readonly folder?: string
}

const build = (name: string): Check => ({ name: `build ${name}`, command: ['tsup'], folder: `packages/${name}` })

const types: Check = { name: 'types', command: ['node', 'test/check/types.ts'] }

/** For contributors: types, and the fast tests on SQLite. Domains and mirrors start servers of their own. */
const quickStages: readonly (readonly Check[])[] = [
  [
    types,
    {
      name: 'tests',
      command: [
        ...(['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'sqlite', '--no-isolate'] as const),
        ...['features', 'kernel', 'platform'].map((folder) => `packages/core/src/${folder}`),
        ...['test/architecture', 'test/contract', '--exclude', '**/{pages-domains,remote-mirrors}/**'],
      ],
    },
  ],
]

/** All static checks, fast ones first. Checks of one stage run in parallel; stages run in sequence. */
const allStages: readonly (readonly Check[])[] = [
  [
    { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
    { name: 'unused code', command: ['knip'] },
  ],
  [types, build('core')],
  [build('http'), build('fixtures')],
  [
    { name: 'packed packages', command: ['node', 'test/check/packed-packages.ts'] },
    { name: 'reference', command: ['typedoc'] },
  ],
]

const stages = process.argv.includes('--quick') ? quickStages : allStages
const started = performance.now()
const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`

/** Runs one check and prints its output only if it fails. */
const run = ({ name, command: [program, ...rest], folder = '.' }: Check): Promise<boolean> =>
  new Promise((resolve) => {
    const start = performance.now()
    const output: Buffer[] = []
    const child = spawn(program, rest, {
      cwd: join(root, folder),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
    })
    child.stdout.on('data', (data: Buffer) => output.push(data))
    child.stderr.on('data', (data: Buffer) => output.push(data))
    child.on('error', (error) => output.push(Buffer.from(String(error))))
    child.on('close', (code) => {
      const passed = code === 0
      console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds(start)})`)
      if (!passed) console.log(Buffer.concat(output).toString('utf8'))
      resolve(passed)
    })
  })

const results: boolean[] = []
for (const stage of stages) {
  results.push(...(await Promise.all(stage.map(run))))
  if (results.includes(false)) break
}
const failed = results.filter((passed) => !passed).length
if (failed) {
  // The same format as the last line of a test run.
  console.log(`${results.length - failed} passed, ${failed} failed`)
  process.exitCode = 1
} else {
  console.log(`All checks passed in ${seconds(started)}`)
}
