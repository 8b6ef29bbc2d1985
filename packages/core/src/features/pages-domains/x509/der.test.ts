import { describe, expect, test } from 'vitest'
import {
  bitsOf,
  DerError,
  derBits,
  derChildren,
  derIdentifier,
  derInteger,
  identifierOf,
  integerOf,
  readDer,
  setBits,
} from './der.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const read = (hex: string) => readDer(bytes(hex))

describe('elements', () => {
  test('a tag, its content, and what follows', () => {
    const element = read('04 02 aabb ff')
    expect(element.tag).toBe(4)
    expect(element.content).toEqual(bytes('aabb'))
    expect(element.encoded).toEqual(bytes('0402aabb'))
  })

  test.each([
    ['81 80', 128],
    ['82 0100', 256],
    ['83 010000', 65_536],
  ])('a length of several octets: %s', (length, size) => {
    expect(readDer(Buffer.concat([bytes(`04 ${length}`), Buffer.alloc(size)])).content.length).toBe(size)
  })

  test('the children of a sequence', () => {
    expect(derChildren(read('30 08 0201 05 0403 616263')).map(({ tag }) => tag)).toEqual([2, 4])
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
  ])('refuses %j', (hex) => {
    expect(() => read(hex)).toThrow(DerError)
  })

  test('refuses children that are cut short', () => {
    expect(() => derChildren(read('30 03 0403 61'))).toThrow(DerError)
  })
})

describe('numbers', () => {
  test.each([
    ['00', 0n],
    ['7f', 127n],
    ['0080', 128n],
    ['ff', -1n],
    ['8000', -32_768n],
    ['00ffffffffffffffff', 18_446_744_073_709_551_615n],
  ])('%s is %s', (hex, value) => {
    expect(integerOf(bytes(hex))).toBe(value)
  })

  test('refuses other tags and no content', () => {
    expect(derInteger(read('02 01 05'))).toBe(5n)
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
    expect(identifierOf(bytes(hex))).toBe(identifier)
  })

  test.each(['', '80', '55 84'])('refuses %j', (hex) => {
    expect(() => identifierOf(bytes(hex))).toThrow(DerError)
  })

  test('refuses other tags and endless ones', () => {
    expect(derIdentifier(read('06 01 2a'))).toBe('1.2')
    expect(() => derIdentifier(read('02 01 2a'))).toThrow(DerError)
    expect(() => identifierOf(Buffer.alloc(100_000, 0xff))).toThrow(DerError)
  })
})

describe('bit strings', () => {
  test('set bits count from the most significant one', () => {
    expect(setBits(derBits(read('03 02 07 80')))).toEqual([0])
    expect(setBits(bitsOf(bytes('00 01 80')))).toEqual([7, 8])
    expect(setBits(bitsOf(bytes('00')))).toEqual([])
  })

  test('refuses what has no readable count of unused bits', () => {
    expect(() => bitsOf(bytes(''))).toThrow(DerError)
    expect(() => bitsOf(bytes('08 00'))).toThrow(DerError)
  })
})
