import { expect, test } from 'vitest'
import { normalizeLocalPath } from './local-path.ts'

test.each([
  ['/', '/'],
  ['/acme/web/-/issues?state=opened#top', '/acme/web/-/issues?state=opened#top'],
  ['/acme/../web', '/web'],
  ['/acme/web/-/tree/feature%2Fx', '/acme/web/-/tree/feature%2Fx'],
  ['/é?q=ü', '/%C3%A9?q=%C3%BC'],
  ['/acme?next=https://evil.example', '/acme?next=https://evil.example'],
])('%j is a path of this site', (path, normalized) => {
  expect(normalizeLocalPath(path)).toBe(normalized)
})

test.each([
  '',
  'acme',
  'https://evil.example',
  'javascript:alert(1)',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '\t//evil.example',
  '/\0/evil.example',
  '/./ /evil.example'.replace(' ', '\t'),
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/%2Fevil.example',
  '/%2f%2fevil.example',
  '/%5Cevil.example',
  '/%09/evil.example',
  '/%0d%0aSet-Cookie:a=b',
  '/a\r\nSet-Cookie: a=b',
  '/%',
  '/%ff',
])('%j is no path of this site', (path) => {
  expect(normalizeLocalPath(path)).toBeUndefined()
})
