import { gunzipSync } from 'node:zlib'
import { maxBodyBytes } from './limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of UTF-8 bytes; undefined for binary content. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    const text = utf8.decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Recorders store compressed responses as they were sent. Other encodings than gzip cannot be recognized by their bytes. */
const decompress = (bytes: Buffer): Buffer | undefined => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBodyBytes })
  } catch {
    return undefined
  }
}

/** The chunks of a body: those that nock writes as hexadecimal digits, and Polly.js as base64 in a JSON array. */
const listChunks = (body: unknown, encoding: 'hex' | 'base64'): readonly unknown[] => {
  if (Array.isArray(body)) return body
  if (encoding !== 'base64' || typeof body !== 'string' || !body.startsWith('["')) return [body]
  try {
    return JSON.parse(body)
  } catch {
    return [body]
  }
}

/** A JSON response can be an array as well. */
const isHexadecimal = (chunk: unknown) => typeof chunk === 'string' && /^(?:[0-9a-f]{2})+$/.test(chunk)

/** The body as text, or as the JSON value that the recorder has parsed; undefined if it cannot be decoded. */
export const decodeBody = (body: unknown, encoding: 'hex' | 'base64' | undefined): unknown => {
  if (encoding === undefined) return body ?? undefined
  const chunks = listChunks(body, encoding)
  if (encoding === 'hex' && !chunks.every(isHexadecimal)) return body
  if (!chunks.length || chunks.some((chunk) => typeof chunk !== 'string')) return body
  const bytes = decompress(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string, encoding))))
  return bytes && decodeUtf8(bytes)
}
