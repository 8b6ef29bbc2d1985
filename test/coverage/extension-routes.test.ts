import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstDocument, normalizeRoute, secondDocument } from './documented-routes.ts'
import { extensionRoutes, routesOf, toRouteLine } from './extension-routes.ts'

const contract = join(import.meta.dirname, '..', 'contract')

test('a line is resolved to the route that serves it', () => {
  expect(toRouteLine('GET /projects/1/labels/bug')).toBe('GET /api/v4/projects/:id/labels/:label_id')
  expect(toRouteLine('PUT /projects/:project_id/labels/promote?name=bug')).toBe(
    'PUT /api/v4/projects/:id/labels/promote',
  )
  expect(toRouteLine('GET /-/project/:id/uploads/:secret/a.txt')).toBe('GET /-/project/:id/uploads/:secret/:filename')
  expect(toRouteLine('GET /nothing')).toBeUndefined()
})

test('extensions are grouped by the feature of their operation', () => {
  expect(Object.values(extensionRoutes).flat().length).toBeGreaterThan(80)
  expect(extensionRoutes['release links']).toContain('GET /api/v4/projects/:id/releases/:tag_name/assets/links')
  expect(extensionRoutes.unknown).toBeUndefined()
  expect(routesOf('remote mirrors').map(normalizeRoute)).toContain('POST /api/v4/projects/:/remote_mirrors/:/sync')
})

test('every family of both documents and of the extensions has contract tests for all of its routes', () => {
  const texts = globSync('*.test.ts', { cwd: contract }).map((file) => readFileSync(join(contract, file), 'utf8'))
  const tested = texts.flatMap((text) =>
    [...text.matchAll(/^everyRouteCalled\(([^)]*)\)$/gm)].flatMap(([, list = '']) =>
      [...list.matchAll(/'([^']+)'/g)].map(([, family]) => family as string),
    ),
  )
  const families = new Set([firstDocument, secondDocument, extensionRoutes].flatMap(Object.keys))
  const untested = [...families].filter((family) => !tested.includes(family))
  expect(
    untested.map(
      (family) => `write everyRouteCalled('${family}') in test/contract, with calls of ${routesOf(family).join(', ')}`,
    ),
  ).toEqual([])
  expect(tested.filter((family, at) => !families.has(family) || tested.indexOf(family) !== at)).toEqual([])
})
