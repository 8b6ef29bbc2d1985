import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { createStaticContent, replyWithContent, selectEncoding } from './content-encoding.ts'

describe('the encoding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['deflate', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, gzip; q=0.8', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['identity, br;q=0.5', 'identity'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['br;q=x', 'br'],
  ])('for %j is %s', (accepted, encoding) => {
    expect(selectEncoding(accepted)).toBe(encoding)
  })
})

const request = (headers: Readonly<Record<string, string>>) =>
  ({ header: (name: string) => headers[name] }) as unknown as IncomingRequest

const text = 'The reference of the API. '.repeat(200)

describe('a reply', () => {
  const content = createStaticContent(text)
  const reply = (headers: Readonly<Record<string, string>>, own = {}) =>
    replyWithContent(request(headers), content, own)

  test('has the content in the accepted encoding', async () => {
    const plain = await reply({})
    expect(plain).toMatchObject({ status: 200, headers: { Vary: 'Accept-Encoding' } })
    expect(plain.headers).not.toHaveProperty('Content-Encoding')
    expect(String(plain.bytes)).toBe(text)
    const brotli = await reply({ 'accept-encoding': 'br' })
    expect(brotli.headers).toMatchObject({ 'Content-Encoding': 'br' })
    expect(brotliDecompressSync(brotli.bytes as Buffer).toString()).toBe(text)
    const zipped = await reply({ 'accept-encoding': 'gzip' })
    expect(zipped.headers).toMatchObject({ 'Content-Encoding': 'gzip' })
    expect(gunzipSync(zipped.bytes as Buffer).toString()).toBe(text)
    expect((zipped.bytes as Buffer).length).toBeLessThan(text.length / 10)
  })

  test('has a strong ETag for each encoding, and is 304 if the client has it', async () => {
    const etags: string[] = []
    for (const encoding of ['identity', 'br', 'gzip']) {
      const accepted = { 'accept-encoding': encoding }
      const etag = (await reply(accepted)).headers?.ETag as string
      expect(etag).toMatch(/^"[\w-]+"$/)
      etags.push(etag)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const cached = await reply({ ...accepted, 'if-none-match': known })
        expect(cached).toMatchObject({ status: 304, headers: { ETag: etag, Vary: 'Accept-Encoding' } })
        expect(cached).not.toHaveProperty('bytes')
        expect(cached.headers).not.toHaveProperty('Content-Encoding')
      }
      expect((await reply({ ...accepted, 'if-none-match': '"other"' })).status).toBe(200)
    }
    expect(new Set(etags).size).toBe(3)
  })

  test('keeps other values of Vary', async () => {
    expect((await reply({}, { Vary: 'Accept' })).headers).toMatchObject({ Vary: 'Accept, Accept-Encoding' })
  })

  test('is compressed once', async () => {
    const first = await reply({ 'accept-encoding': 'br' })
    expect((await reply({ 'accept-encoding': 'br' })).bytes).toBe(first.bytes)
  })

  test('with little content is not compressed', async () => {
    const { headers } = await replyWithContent(request({ 'accept-encoding': 'br' }), createStaticContent('x'), {})
    expect(Object.keys(headers ?? {})).toEqual(['ETag'])
  })
})
