import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform, sqlite } from '@forgelet/core'
import { expect, test } from 'vitest'
import { root } from './snippets.ts'

test('the ports guide has a table row for each port', async () => {
  const platform = createPlatform(sqlite(':memory:'))
  const page = readFileSync(join(root, 'docs/guide/ports.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, port]) => port as string)
  expect(rows.sort()).toEqual(Object.keys(platform.ports).sort())
  await platform.close()
})
