import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstDocument, secondDocument } from '../coverage/documented-routes.ts'
import { extensionRoutes, routesOf } from '../coverage/extension-routes.ts'
import { callers, expectedStatus, matrixWorld, readTable, signedInCallers } from './matrix.ts'

test('parses the rows of a table, and skips headings and blank lines', () => {
  const rows = readTable(`
    call                 anonymous  non-member  guest reporter developer maintainer owner admin
    GET /projects/:id/x  401        200·200·404 200   200      -         200        200   200

    DELETE /groups/:id   401        404         403   403      403       403        204   204
  `)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    call: 'GET /projects/:id/x',
    method: 'GET',
    path: '/projects/:id/x',
    cells: { anonymous: '401', 'non-member': '200·200·404', developer: '-', admin: '200' },
  })
  expect(Object.keys(rows[1]?.cells ?? {})).toEqual([...callers])
})

test('parses cells with one status, one per visibility, or a dash', () => {
  expect(expectedStatus('403', 'private')).toBe(403)
  expect(expectedStatus('200·401·404', 'public')).toBe(200)
  expect(expectedStatus('200·401·404', 'internal')).toBe(401)
  expect(expectedStatus('200·401·404', 'private')).toBe(404)
  expect(expectedStatus('-', 'public')).toBeUndefined()
})

test.each([
  'GET /x 200',
  'GET /x 401 200·404 200 200 200 200 200 200',
  'GET /x 401 200 200 200 200 200 200 yes',
  'GET /x 401 200 200 200 200 200 200 200 200',
])('rejects an invalid row: %s', (line) => {
  expect(() => readTable(line)).toThrow('Not a row of 8 cells')
})

test('the seed contains a user for each column, and each role in each group', () => {
  const { users = [], groups = [], projects = [] } = matrixWorld({ users: ['extra'] })
  expect(users.map(({ username }) => username)).toEqual([...signedInCallers, 'blocked', 'extra'])
  expect(groups.map(({ path, visibility }) => [path, visibility])).toEqual([
    ['public', 'public'],
    ['internal', 'internal'],
    ['private', 'private'],
  ])
  expect(groups[2]?.members?.map(({ user }) => user)).toEqual(['guest', 'reporter', 'developer', 'maintainer', 'owner'])
  expect(projects.map(({ path }) => path)).toEqual(['public/code', 'internal/code', 'private/code'])
})

test('every family of both documents and of the extensions has tables', () => {
  const texts = globSync('*.test.ts', { cwd: import.meta.dirname }).map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  )
  const named = texts.flatMap((text) =>
    [...text.matchAll(/^everyRouteOf\((.*)\)$/gm)].flatMap(([, list = '']) =>
      list.split(', ').map((one) => one.slice(1, -1)),
    ),
  )
  const families = new Set([firstDocument, secondDocument, extensionRoutes].flatMap(Object.keys))
  const untested = [...families].filter((family) => !named.includes(family))
  expect(
    untested.map(
      (family) => `write everyRouteOf('${family}') in test/permissions, with rows for ${routesOf(family).join(', ')}`,
    ),
  ).toEqual([])
  expect(named.filter((family, at) => !families.has(family) || named.indexOf(family) !== at)).toEqual([])
})
