import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../../packages/core/src/features.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { pages } from './pages.ts'
import { routesPage } from './routes.ts'
import { facts, signalsPage } from './signals.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs')

test.each(Object.entries(pages))('%s says what the code says', (name, page) => {
  expect(readFileSync(join(folder, name), 'utf8'), 'run pnpm docs:reference and read what has changed').toBe(page())
})

test('each route has a row with an operation that exists and somebody who may', () => {
  const rows = [
    ...routesPage().matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) .* \| `(\w+)\.(\w+)` \| (\d+) \| (.+) \|$/gm),
  ]
  expect(rows).toHaveLength(routes.length)
  const known = features as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  for (const [row, , feature = '', verb = '', , allowed] of rows) {
    expect(known[feature]?.[verb], row).toBeDefined()
    expect(allowed, row).not.toMatch(/undefined|^ *$/)
  }
})

test('each fact has a row with all that it tells', () => {
  expect(facts.length).toBeGreaterThan(20)
  for (const { name } of facts) expect(signalsPage()).toContain(`| \`${name}\` | \``)
  expect(signalsPage()).toContain('| `label.updated` | `label: Label`, `before: Label` |')
})
