import { expect, test } from 'vitest'
import { addressOf, addressTest } from './address-pattern.ts'

test('an address is known by its route and its operation', () => {
  expect(addressOf('POST', '/api/v4/projects/acme%2Fweb/labels?x=1')).toEqual({
    method: 'POST',
    path: '/api/v4/projects/acme%2Fweb/labels',
    route: 'POST /api/v4/projects/:id/labels',
    operation: 'labels.create',
  })
  expect(addressOf('GET', '/nothing')).toMatchObject({ route: null, operation: null })
})

test.each([
  ['POST /projects/:id/labels', 'POST', '/api/v4/projects/acme%2Fweb/labels', true],
  ['POST /projects/:id/labels', 'GET', '/api/v4/projects/acme%2Fweb/labels', false],
  ['/projects/:whatever/labels', 'GET', '/api/v4/projects/1/labels', true],
  ['/projects/1/labels', 'GET', '/api/v4/projects/2/labels', false],
  ['/projects/acme%2Fweb/labels', 'GET', '/api/v4/projects/acme%2fweb/labels', true],
  ['/projects/:id', 'GET', '/api/v4/projects/1/labels', false],
  ['/projects/**', 'GET', '/api/v4/projects/1/labels', true],
  ['/projects/*/labels', 'GET', '/api/v4/projects/1/labels', true],
  ['/**', 'GET', '/-/health', true],
  ['/api/v4/version', 'GET', '/api/v4/version', true],
  ['/-/health', 'GET', '/-/health', true],
  ['GET *', 'GET', '/anything', true],
  ['GET', 'GET', '/anything', true],
  ['* /version', 'HEAD', '/api/v4/version', true],
  ['members.list', 'GET', '/api/v4/groups/acme/members', true],
  ['members.list', 'POST', '/api/v4/groups/acme/members', false],
  [undefined, 'GET', '/anything', true],
])('%s is about %s %s: %s', (pattern, method, target, fits) => {
  expect(addressTest(pattern)(addressOf(method, target))).toBe(fits)
})

test.each(['labels.nothing', 'labels', 'FETCH /x', 'GET /a b', 'GET labels'])('%s is refused', (pattern) => {
  expect(() => addressTest(pattern)).toThrow()
})
