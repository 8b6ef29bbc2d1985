import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './project.ts'

const pack = (args: readonly string[], pnpm = 'pnpm') =>
  spawnSync(process.execPath, [join(root, 'packages', 'pack.ts'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, npm_execpath: pnpm },
  })

test.each([[[]], [['--help']]])('pnpm packages %j asks for a folder before it builds', (args) => {
  const usage = 'Name the folder for the packed files: pnpm packages <folder>\n'
  expect(pack(args)).toMatchObject({ status: 2, stdout: '', stderr: usage })
})

test('pnpm packages says which step failed', () => {
  expect(pack(['unused'], 'false')).toMatchObject({ status: 1, stderr: '\npnpm build failed\n' })
})
