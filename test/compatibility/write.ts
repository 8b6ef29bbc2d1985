import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compatibilityPage } from './page.ts'
import type { RecordedRequest } from './request-recorder.ts'

/** Runs the tests of clients and tools, records their requests, and writes the compatibility page. */

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'forgelet-compatibility-'))
const recording = join(folder, 'requests.jsonl')
try {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  // In a shared process, requests before the first test of a file would be recorded for the last test of another file.
  const options = ['--config', 'test/vitest.config.ts', '--project', 'sqlite', '--isolate']
  const args = ['run', ...options, 'test/clients', 'test/tools']
  const { status } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: root,
    env: { ...process.env, FORGELET_COMPATIBILITY: recording, FORGELET_RENOVATE: 'run', FORGELET_BACKSTAGE: 'run' },
    stdio: 'inherit',
  })
  if (status !== 0 || !existsSync(recording))
    throw new Error('Client tests failed; the compatibility page was not updated')
  const lines = readFileSync(recording, 'utf8').trim().split('\n')
  const page = compatibilityPage(lines.map((line) => JSON.parse(line) as RecordedRequest))
  writeFileSync(join(root, 'docs', 'reference', 'compatibility.md'), page)
  console.log('docs/reference/compatibility.md')
} finally {
  rmSync(folder, { recursive: true })
}
