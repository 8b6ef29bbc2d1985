import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/property-runs.ts'
import { formatAttachment } from './content-disposition.ts'

const fallback = 'file.txt'

/** Reads the name as a client does: the extended name takes precedence. */
const readName = (header: string): string | undefined => {
  const extended = /; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(header)?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  return /^attachment; filename="([^"\\]*)"$/.exec(header)?.[1]
}

test.each([
  ['read me.txt', 'attachment; filename="read me.txt"'],
  ['naïve (1).txt', `attachment; filename="na_ve (1).txt"; filename*=UTF-8''na%C3%AFve%20%281%29.txt`],
  ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
  ['a/b\\c"d\r\n.txt', 'attachment; filename="abcd.txt"'],
  ['', 'attachment; filename="file.txt"'],
  ['..', 'attachment; filename="file.txt"'],
  ['/', 'attachment; filename="file.txt"'],
])('%j', (name, header) => {
  expect(formatAttachment(name, fallback)).toBe(header)
})

test('formats any name as one line of ASCII with a safe file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const header = formatAttachment(name, fallback)
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      const read = readName(header)
      expect(read).toBeDefined()
      expect(read).not.toMatch(/["\\/\r\n\0]/)
      expect(read).not.toMatch(/^\.*$/)
      expect(Buffer.byteLength(read as string)).toBeLessThanOrEqual(255)
    }),
    propertyRuns(500),
  )
})

test('truncates a long name between characters', () => {
  expect(readName(formatAttachment('é'.repeat(200), fallback))).toBe('é'.repeat(127))
})
