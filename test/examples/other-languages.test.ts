import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { root } from '../docs/snippets.ts'
import { buildCommand } from '../support/built-programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-languages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const succeeds = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0

/** Runs the tests of an example in a copy of it. Returns the output. */
const runTests = async (name: string, program: string, ...args: readonly string[]) => {
  const copy = join(folder, name)
  cpSync(join(root, 'examples', name), copy, {
    recursive: true,
    filter: (source) => !source.includes('node_modules'),
  })
  const forgelet = `${process.execPath} ${await buildCommand()}`
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, FORGELET: forgelet, PYTHONDONTWRITEBYTECODE: '1' },
  })
  expect(status, stdout + stderr).toBe(0)
  return stdout
}

const python = ['python3', '/usr/bin/python3'].find((program) => succeeds(program, '-c', 'import pytest'))
if (python === undefined) console.warn('pytest is not installed: the example in Python is not tested')

test.skipIf(python === undefined)(
  'tests-in-python',
  async () => {
    expect(await runTests('tests-in-python', python as string, '-m', 'pytest', '--quiet')).toContain('3 passed')
  },
  120_000,
)

const hasGo = succeeds('go', 'version')
if (!hasGo) console.warn('Go is not installed: the example in Go is not tested')

test.skipIf(!hasGo)(
  'tests-in-go',
  async () => {
    expect(await runTests('tests-in-go', 'go', 'test', './...')).toMatch(/^ok\s+example.com\/bot/m)
  },
  120_000,
)
