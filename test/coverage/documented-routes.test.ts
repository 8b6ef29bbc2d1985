import { expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { firstDocument, normalizeRoute, secondDocument } from './documented-routes.ts'

/** Families of the second document that are not implemented yet. */
const unimplemented = new Set<string>()

const served = new Set(routes.map(({ method, path }) => normalizeRoute(`${method} ${path}`)))

const missing = (document: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(document)
      .map(([family, lines]) => [family, lines.filter((line) => !served.has(normalizeRoute(line)))] as const)
      .filter(([, lines]) => lines.length),
  )

const report = (name: string, document: Readonly<Record<string, readonly string[]>>) => {
  const all = Object.values(document).flat()
  const present = all.filter((line) => served.has(normalizeRoute(line)))
  console.log(`${name}: ${present.length} of ${all.length} documented routes are served`)
}

test('every route of the first document is served', () => {
  report('first document', firstDocument)
  expect(missing(firstDocument)).toEqual({})
})

test('every route of the second document is served, except unimplemented families', () => {
  report('second document', secondDocument)
  const families = Object.keys(missing(secondDocument))
  expect(families.filter((family) => !unimplemented.has(family))).toEqual([])
  expect([...unimplemented].filter((family) => !families.includes(family))).toEqual([])
})

test('every undocumented route is marked as an extension', () => {
  const documented = new Set(
    [...Object.values(firstDocument), ...Object.values(secondDocument)].flat().map(normalizeRoute),
  )
  const unmarked = routes.filter(
    ({ extension, method, path }) => !extension && !documented.has(normalizeRoute(`${method} ${path}`)),
  )
  expect(unmarked.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
