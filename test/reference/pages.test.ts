import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../../packages/core/src/features.ts'
import { gitRoutes } from '../../packages/http/src/git/git-routes.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { listAllSources } from './descriptions/program.ts'
import { errorReasons, errorsPage } from './errors.ts'
import { pages } from './pages.ts'
import { routesPage } from './routes.ts'
import { signals, signalsPage } from './signals.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs')

test.each(Object.entries(pages))('%s is up to date', (name, page) => {
  expect(readFileSync(join(folder, name), 'utf8'), 'run pnpm docs:reference and review the diff').toBe(page())
})

test('each route has a row with an existing operation and its permitted users', () => {
  const rows = [
    ...routesPage().matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) .* \| `(\w+)\.(\w+)` \| (\d+) \| (.+) \|$/gm),
  ]
  expect(rows).toHaveLength(routes.length + Object.keys(gitRoutes).length)
  const operations = features as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  for (const [row, , feature = '', verb = '', , allowed] of rows) {
    expect(operations[feature]?.[verb], row).toBeDefined()
    expect(allowed, row).not.toMatch(/undefined|^ *$/)
  }
})

test('each signal has a row with its payload', () => {
  expect(signals.length).toBeGreaterThan(20)
  for (const { name } of signals) expect(signalsPage()).toContain(`| \`${name}\` | \``)
  expect(signalsPage()).toContain('| `label.updated` | `label: Label`, `before: Label` |')
})

test('each reason of an error has a description that names its code, and is used', () => {
  const sources = listAllSources().filter((path) => !path.endsWith('error-codes.ts'))
  const text = sources.map((path) => readFileSync(path, 'utf8')).join('\n')
  expect(errorReasons.length).toBeGreaterThan(30)
  expect(errorsPage()).toContain('| `full` | `unavailable`: the disk is full; nothing was changed. |')
  for (const { name, description } of errorReasons) {
    expect(name).toMatch(/^[a-z0-9]+(_[a-z]+)*$/)
    expect(description, name).toMatch(/^`[a-z_]+`( or `[a-z_]+`)?: [^A-Z]/)
    expect(text, `no error has the reason ${name}`).toContain(`'${name}'`)
  }
})
