import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Heard } from './heard.ts'
import { compatibilityPage } from './page.ts'

/** Runs the tests of clients and tools, listens to what they send, and writes the page of compatibility. */

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'forgelet-compatibility-'))
const heard = join(folder, 'heard.jsonl')
try {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const given = ['run', '--config', 'test/vitest.config.ts', '--project', 'sqlite', 'test/clients', 'test/tools']
  const { status } = spawnSync(process.execPath, [vitest, ...given], {
    cwd: root,
    env: { ...process.env, FORGELET_COMPATIBILITY: heard },
    stdio: 'inherit',
  })
  if (status !== 0 || !existsSync(heard)) throw new Error('Not every client passed: the page stays as it is')
  const lines = readFileSync(heard, 'utf8').trim().split('\n')
  const page = compatibilityPage(lines.map((line) => JSON.parse(line) as Heard))
  writeFileSync(join(root, 'docs', 'reference', 'compatibility.md'), page)
  console.log('docs/reference/compatibility.md')
} finally {
  rmSync(folder, { recursive: true })
}
