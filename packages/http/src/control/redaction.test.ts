import { settingDefinition, settingNames } from '@forgelet/core/operations'
import { describe, expect, test } from 'vitest'
import { toSnakeCase } from '../wire-names.ts'
import { redactHeaders, redactText } from './redaction.ts'

test.each([
  ['{"token":"abc","name":"x"}', '{"token":"[redacted]","name":"x"}'],
  ['{"private_token" : "a\\"b\\\\"}', '{"private_token" : "[redacted]"}'],
  ['{"user":{"new_password":"abc"}}', '{"user":{"new_password":"[redacted]"}}'],
  ['{"container_registry_token_expire_delay":5}', '{"container_registry_token_expire_delay":5}'],
  ['{"password":"cut off in the midd', '{"password":"[redacted]'],
  ['{"password":"cut off in an escape\\', '{"password":"[redacted]'],
  ['private_token=abc&page=2', 'private_token=[redacted]&page=2'],
  ['a=1&user[password]=abc', 'a=1&user[password]=[redacted]'],
  ['a=1&user%5Bpassword%5D=abc', 'a=1&user%5Bpassword%5D=[redacted]'],
  ['url=https%3A%2F%2Fme%3Asecret%40host%2Fx', 'url=https%3A%2F%2F[redacted]%40host%2Fx'],
  ['{"url":"https://me:se@cret@host/x"}', '{"url":"https://[redacted]@cret@host/x"}'],
  ['{"url":"https://host:8080/a@b"}', '{"url":"https://host:8080/a@b"}'],
  [
    'key=-----BEGIN+EC+PRIVATE+KEY-----%0Aabc%0A-----END+EC+PRIVATE+KEY-----&b=1',
    'key=-----BEGIN+EC+PRIVATE+KEY-----[redacted]-----END+EC+PRIVATE+KEY-----&b=1',
  ],
  ['-----BEGIN PRIVATE KEY-----\nabc', '-----BEGIN PRIVATE KEY-----[redacted]'],
  [
    'Content-Disposition: form-data; name="token"\r\n\r\nabc\r\n--x',
    'Content-Disposition: form-data; name="token"\r\n\r\n[redacted]\r\n--x',
  ],
  ['{"spamfilter_api_key":"abc"}', '{"spamfilter_api_key":"[redacted]"}'],
  ['{"spamfilter_api_key":123456,"a":1}', '{"spamfilter_api_key":"[redacted]","a":1}'],
  ['{"kube_access_key_id":null}', '{"kube_access_key_id":null}'],
  ['external_auth_client_key=abc&a=1', 'external_auth_client_key=[redacted]&a=1'],
  ['external_auth_client_key_pass=abc', 'external_auth_client_key_pass=[redacted]'],
  [
    'Content-Disposition: form-data; name="searchengine_cloud_access_key"\r\n\r\nabc\r\n--x',
    'Content-Disposition: form-data; name="searchengine_cloud_access_key"\r\n\r\n[redacted]\r\n--x',
  ],
  ['{"text":"see ?private_token=abc","next":1}', '{"text":"see ?private_token=[redacted]","next":1}'],
])('%s', (text, safe) => {
  expect(redactText(text)).toBe(safe)
})

test('removes every secret setting', () => {
  const names = settingNames.filter((name) => settingDefinition(name).secret).map(toSnakeCase)
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    const texts = [`{"${name}":"hush"}`, `{"${name}": 70707}`, `a=1&${name}=hush`, `name="${name}"\r\n\r\nhush\r\n`]
    for (const text of texts) expect(redactText(text)).not.toMatch(/hush|70707/)
  }
})

test('removes the credentials of the request everywhere', () => {
  expect(redactText('{"name":"my abc-123456"}', { credentials: ['abc-123456'] })).toBe('{"name":"my [redacted]"}')
})

test('removes secrets from headers', () => {
  const headers = {
    authorization: 'Bearer abc',
    'private-token': 'abc',
    cookie: 'session=abc',
    'x-hook-token': 'abc',
    accept: 'application/json',
    location: 'https://me:secret@host/x',
  }
  expect(redactHeaders(headers)).toEqual({
    authorization: 'Bearer [redacted]',
    'private-token': '[redacted]',
    cookie: '[redacted]',
    'x-hook-token': '[redacted]',
    accept: 'application/json',
    location: 'https://[redacted]@host/x',
  })
})

describe('takes linear time for a long text of', () => {
  test.each([
    ['quotes', '"'],
    ['unterminated names', '"token'],
    ['unterminated values', '{"token":"'],
    ['ampersands', '&tokentokentoken'],
    ['URLs', '://a:'],
    ['percent-encoded URLs', '%3A%2F%2Fa:'],
    ['unterminated keys', '-----BEGIN PRIVATE KEY-----'],
    ['settings', '"spamfilter_api_key":'],
    ['backslashes', '"token":"\\\\'],
  ])('%s', (_, part) => {
    const text = part.repeat(Math.ceil(400_000 / part.length))
    // Quadratic time exceeds the test timeout.
    expect(redactText(text).length).toBeGreaterThan(0)
  })
})
