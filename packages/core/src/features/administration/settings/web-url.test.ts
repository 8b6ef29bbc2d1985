import { expect, test } from 'vitest'
import { webUrlProblem } from './web-url.ts'

test.each([
  'http://a.example',
  'HTTPS://A.example/path?q=1#part',
  'http://localhost:3000',
  'http://[::1]:8080/',
  'https://münchen.example/',
])('accepts %s', (url) => {
  expect(webUrlProblem(url)).toBeUndefined()
})

test.each([
  ['javascript:alert(1)', 'Only allowed schemes are http, https'],
  ['JaVaScRiPt://a.example/%0aalert(1)', 'Only allowed schemes are http, https'],
  ['//a.example', 'Only allowed schemes are http, https'],
  ['http:a.example', 'Only allowed schemes are http, https'],
  ['a.example', 'Only allowed schemes are http, https'],
  ['', 'Only allowed schemes are http, https'],
  ['java\nscript:alert(1)', 'URI is invalid'],
  ['http://a.example/\u0000', 'URI is invalid'],
  [' http://a.example', 'URI is invalid'],
  ['http://', 'URI is invalid'],
  ['http://a.example:99999', 'URI is invalid'],
  ['http://-a.example', 'Hostname or IP address invalid'],
  ['http://_', 'Hostname or IP address invalid'],
])('rejects %j: %s', (url, reason) => {
  expect(webUrlProblem(url)).toBe(reason)
})
