import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstDocument, secondDocument } from '../coverage/documented-routes.ts'
import { callers, expectedAt, matrixWorld, people, readTable } from './matrix.ts'

test('a table is read row by row; headings and blank lines are skipped', () => {
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

test('a cell is one status, one for each place, or nothing', () => {
  expect(expectedAt('403', 'private')).toBe(403)
  expect(expectedAt('200·401·404', 'public')).toBe(200)
  expect(expectedAt('200·401·404', 'internal')).toBe(401)
  expect(expectedAt('200·401·404', 'private')).toBe(404)
  expect(expectedAt('-', 'public')).toBeUndefined()
})

test.each([
  'GET /x 200',
  'GET /x 401 200·404 200 200 200 200 200 200',
  'GET /x 401 200 200 200 200 200 200 yes',
  'GET /x 401 200 200 200 200 200 200 200 200',
])('a row that cannot be meant is refused: %s', (line) => {
  expect(() => readTable(line)).toThrow('Not a row of 8 cells')
})

test('the world has a user for each column, and each role in each place', () => {
  const { users = [], groups = [], projects = [] } = matrixWorld({ users: ['extra'] })
  expect(users.map(({ username }) => username)).toEqual([...people, 'blocked', 'extra'])
  expect(groups.map(({ path, visibility }) => [path, visibility])).toEqual([
    ['public', 'public'],
    ['internal', 'internal'],
    ['private', 'private'],
  ])
  expect(groups[2]?.members?.map(({ user }) => user)).toEqual(['guest', 'reporter', 'developer', 'maintainer', 'owner'])
  expect(projects.map(({ path }) => path)).toEqual(['public/code', 'internal/code', 'private/code'])
})

test('every family of both documents has its tables', () => {
  const texts = globSync('*.test.ts', { cwd: import.meta.dirname }).map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  )
  const named = texts.flatMap((text) =>
    [...text.matchAll(/^everyRouteOf\((.*)\)$/gm)].flatMap(([, list = '']) =>
      list.split(', ').map((one) => one.slice(1, -1)),
    ),
  )
  expect(named.toSorted()).toEqual([...Object.keys(firstDocument), ...Object.keys(secondDocument)].toSorted())
})
