import { describe, expect, test } from 'vitest'
import { parseBody } from './body.ts'

const parse = async (text: string, type: string) => parseBody(new TextEncoder().encode(text), type)
const form = (text: string) => parse(text, 'application/x-www-form-urlencoded')
const json = (text: string) => parse(text, 'application/json')
const multipart = (text: string) => parse(text, 'multipart/form-data; boundary=xx')
const part = 'content-disposition: form-data; name="a"\r\n\r\nb\r\n'

// Each text takes seconds at the maximum size of a body if it is parsed.
describe('bodies that are expensive to parse are rejected', () => {
  test.each([
    ['a form of separators', () => form('&'.repeat(1_001)), 'Too many parameters'],
    ['a form of many parameters', () => form('a=1&'.repeat(1_001)), 'Too many parameters'],
    ['a deep parameter', () => form(`a${'[b]'.repeat(10_000)}=1`), 'The parameters are nested too deeply'],
    ['a long number', () => json(`{"a":${'1'.repeat(1_001)}}`), 'The JSON body has a number with too many digits'],
    ['many parts', () => multipart(`${`--xx\r\n${part}`.repeat(1_001)}--xx--\r\n`), 'Too many parameters'],
    [
      'a part with long headers',
      () => multipart(`--xx\r\n${'x: y\r\n'.repeat(3_000)}${part}--xx--\r\n`),
      'The headers of a part of the multipart body are too long',
    ],
  ])('%s', async (_, parsing, message) => {
    await expect(parsing()).rejects.toThrow(message)
  })
})

test('bodies within the limits are parsed', async () => {
  expect(await form(`a=1&&${'b[]=2&'.repeat(900)}`)).toMatchObject({ a: '1', b: { length: 900 } })
  expect(await json(`{"a":"${'1'.repeat(5_000)}","b":${'1'.repeat(20)}}`)).toMatchObject({ b: Number('1'.repeat(20)) })
  expect(await multipart(`--xx\r\n${part}--xx--\r\n`)).toEqual({ a: 'b' })
})

test.each([
  ['a quote', String.raw`{"a":"\"","b":[1,"\\"]}`],
  ['backslashes', String.raw`{"a":"\\\\","b":"\\\"\\"}`],
  ['nothing', '{"":"","a":[""]}'],
])('texts that end with %s are read to their end', (_, text) => {
  expect(parseBody(Buffer.from(text), 'application/json')).toEqual(JSON.parse(text))
})

test.each(['{"a":"', String.raw`{"a":"\"`, '{"a":"b'])('a text without an end is not valid JSON: %s', (text) => {
  expect(() => parseBody(Buffer.from(text), 'application/json')).toThrow('The body is not valid JSON')
})

test('brackets in texts do not count as nesting', () => {
  const text = `${'['.repeat(1_000)}${'\\"'.repeat(1_000)}${','.repeat(30_000)}`
  expect(parseBody(Buffer.from(`{"a":"${text}"}`), 'application/json')).toEqual({ a: text.replaceAll('\\', '') })
})
