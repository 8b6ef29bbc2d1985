import { expect, test } from 'vitest'
import { createRequestMatcher, resolveRequest } from './request-matcher.ts'

test('resolves the route and the operation of a request', () => {
  expect(resolveRequest('POST', '/api/v4/projects/acme%2Fweb/labels?x=1')).toEqual({
    method: 'POST',
    path: '/api/v4/projects/acme%2Fweb/labels',
    route: 'POST /api/v4/projects/:id/labels',
    operation: 'labels.create',
  })
  expect(resolveRequest('GET', '/nothing')).toMatchObject({ route: null, operation: null })
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
])('%s matches %s %s: %s', (pattern, method, target, expected) => {
  expect(createRequestMatcher(pattern)(resolveRequest(method, target))).toBe(expected)
})

test.each(['labels.nothing', 'labels', 'FETCH /x', 'GET /a b', 'GET labels'])('rejects %s', (pattern) => {
  expect(() => createRequestMatcher(pattern)).toThrow()
})
