import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { root } from '../docs/snippets.ts'
import { buildCommand } from '../support/built-programs.ts'
import { findMarkedProcesses } from '../support/process-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-languages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const succeeds = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0

/** A copy of an example with an installed command, as npm links it. */
const copyOf = async (name: string) => {
  const copy = mkdtempSync(join(folder, `${name}-`))
  cpSync(join(root, 'examples', name), copy, {
    recursive: true,
    filter: (source) => !source.includes('node_modules'),
  })
  mkdirSync(join(copy, 'node_modules/.bin'), { recursive: true })
  symlinkSync(await buildCommand(), join(copy, 'node_modules/.bin/forgelet'))
  return copy
}

/** Starts the tests in a copy of an example, with the command that its sources name. */
const startTests = (copy: string, [program = '', ...args]: readonly string[]) => {
  const { FORGELET: _, ...environment } = process.env
  // The installed command runs with the `node` of the path.
  const PATH = `${dirname(process.execPath)}:${environment.PATH}`
  const options = { cwd: copy, env: { ...environment, PATH, MARKER: copy, PYTHONDONTWRITEBYTECODE: '1' } }
  return spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
}

const textOf = async ({ stdout, stderr }: ChildProcess) => {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  await Promise.all([stdout && once(stdout, 'close'), stderr && once(stderr, 'close')])
  return text
}

const serversOf = (copy: string) => findMarkedProcesses(copy, /serve --control/)

const python = ['python3', '/usr/bin/python3'].find((program) => succeeds(program, '-c', 'import pytest'))
if (python === undefined) console.warn('pytest is not installed: the example in Python is not tested')
const hasGo = succeeds('go', 'version')
if (!hasGo) console.warn('Go is not installed: the example in Go is not tested')

const slowTests = {
  'tests-in-python': ['test_slow.py', 'import time\n\n\ndef test_slow(forge):\n    time.sleep(60)\n'],
  'tests-in-go': [
    'slow_test.go',
    'package bot\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestASlow(t *testing.T) {\n\ttime.Sleep(time.Minute)\n}\n',
  ],
} as const

describe.each([
  { name: 'tests-in-python', command: python && [python, '-m', 'pytest', '--quiet'], passed: /3 passed/ },
  { name: 'tests-in-go', command: hasGo && ['go', 'test', './...'], passed: /^ok\s+example.com\/bot/m },
] as const)('$name', ({ name, command, passed }) => {
  test.skipIf(!command)(
    'passes, and ends its server',
    async () => {
      const copy = await copyOf(name)
      const child = startTests(copy, command || [])
      expect(await textOf(child)).toMatch(passed)
      expect(serversOf(copy)).toEqual([])
    },
    120_000,
  )

  test.skipIf(!command)(
    'leaves no server when its tests are killed',
    async () => {
      const copy = await copyOf(name)
      const [file, code] = slowTests[name]
      writeFileSync(join(copy, file), code)
      const child = startTests(copy, command || [])
      await expect.poll(() => serversOf(copy).length, { timeout: 60_000 }).toBe(1)
      // `go test` runs a program of its own.
      for (const pid of findMarkedProcesses(copy, /bot\.test|pytest/)) process.kill(Number(pid), 'SIGKILL')
      await expect.poll(() => serversOf(copy), { timeout: 10_000 }).toEqual([])
      child.kill('SIGKILL')
    },
    120_000,
  )
})
