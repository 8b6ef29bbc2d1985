import { describe, expect, test } from 'vitest'
import {
  type DerElement,
  DerError,
  derBits,
  derChildren,
  derIdentifier,
  derInteger,
  readDer,
  retagged,
  setBits,
  tag,
} from './der.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const read = (hex: string) => readDer(bytes(hex))
/** An element of a universal type with the given content. */
const element = (type: number, hex: string): DerElement => ({ tag: type, content: bytes(hex), encoded: bytes('') })

describe('elements', () => {
  test('reads the first element and ignores trailing bytes', () => {
    expect(read('04 02 aabb ff')).toEqual({ tag: 4, content: bytes('aabb'), encoded: bytes('0402aabb') })
  })

  test.each([
    ['81 80', 128],
    ['82 0100', 256],
    ['83 010000', 65_536],
  ])('reads a length of several octets: %s', (length, size) => {
    expect(readDer(Buffer.concat([bytes(`04 ${length}`), Buffer.alloc(size)])).content.length).toBe(size)
  })

  test('reads the children of a sequence', () => {
    expect(derChildren(read('30 08 0201 05 0403 616263')).map((child) => child.tag)).toEqual([2, 4])
    expect(derChildren(read('30 00'))).toEqual([])
  })

  test.each([
    '',
    '04',
    '04 05 aa',
    '04 80 aa 0000',
    '04 85 0000000001 aa',
    '04 ff',
    '04 82 01',
    '1f 01 aa',
    '3f 8101 01 aa',
  ])('rejects %j', (hex) => {
    expect(() => read(hex)).toThrow(DerError)
  })

  test('rejects children that are cut short', () => {
    expect(() => derChildren(read('30 03 0403 61'))).toThrow(DerError)
  })
})

describe('integers', () => {
  test.each([
    ['00', 0n],
    ['7f', 127n],
    ['0080', 128n],
    ['ff', -1n],
    ['8000', -32_768n],
    ['00ffffffffffffffff', 18_446_744_073_709_551_615n],
  ])('%s is %s', (hex, value) => {
    expect(derInteger(element(tag.integer, hex))).toBe(value)
  })

  test('rejects other tags and empty content', () => {
    expect(derInteger(retagged(read('82 01 05'), tag.integer))).toBe(5n)
    expect(() => derInteger(read('04 01 05'))).toThrow(DerError)
    expect(() => derInteger(read('02 00'))).toThrow(DerError)
    expect(() => derInteger(undefined)).toThrow(DerError)
  })
})

describe('object identifiers', () => {
  test.each([
    ['55 04 03', '2.5.4.3'],
    ['2a 86 48 86 f7 0d', '1.2.840.113549'],
    ['00', '0.0'],
    ['27', '0.39'],
    ['28', '1.0'],
    ['78', '2.40'],
    ['88 37 03', '2.999.3'],
    ['2a ff ff ff ff ff ff ff ff 7f', '1.2.9223372036854775807'],
  ])('%s is %s', (hex, identifier) => {
    expect(derIdentifier(element(tag.objectIdentifier, hex))).toBe(identifier)
  })

  test.each(['', '80', '55 84', 'ff'.repeat(100_000)])('rejects %.20j', (hex) => {
    expect(() => derIdentifier(element(tag.objectIdentifier, hex))).toThrow(DerError)
  })

  test('rejects other tags', () => {
    expect(() => derIdentifier(read('02 01 2a'))).toThrow(DerError)
  })
})

describe('bit strings', () => {
  test('bit 0 is the most significant bit', () => {
    expect(setBits(derBits(read('03 02 07 80')))).toEqual([0])
    expect(setBits(derBits(element(tag.bitString, '00 01 80')))).toEqual([7, 8])
    expect(setBits(derBits(element(tag.bitString, '00')))).toEqual([])
  })

  test('rejects a missing or invalid count of unused bits', () => {
    expect(() => derBits(element(tag.bitString, ''))).toThrow(DerError)
    expect(() => derBits(element(tag.bitString, '08 00'))).toThrow(DerError)
  })
})
