import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/property-runs.ts'
import type { Reference } from './reference.ts'
import { scanReferences } from './reference-scanner.ts'

/** Each reference as the characters it was written with and what it means. */
const found = (text: string) =>
  scanReferences(text).map(({ start, end, reference }) => [text.slice(start, end), reference])
const one = (text: string): Reference | undefined => scanReferences(text)[0]?.reference

describe('what is a reference', () => {
  test.each<[string, Reference]>([
    ['#1', { kind: 'issue', value: '1' }],
    ['group/project#1', { kind: 'issue', project: 'group/project', value: '1' }],
    ['project#1', { kind: 'issue', project: 'project', value: '1' }],
    ['a/b_c/d.e-f#12', { kind: 'issue', project: 'a/b_c/d.e-f', value: '12' }],
    ['!2', { kind: 'merge_request', value: '2' }],
    ['group/project!2', { kind: 'merge_request', project: 'group/project', value: '2' }],
    ['@user', { kind: 'user', value: 'user' }],
    ['@group/sub', { kind: 'user', value: 'group/sub' }],
    ['@us.er-na_me', { kind: 'user', value: 'us.er-na_me' }],
    ['~label', { kind: 'label', value: 'label' }],
    ['~priority::high', { kind: 'label', value: 'priority::high' }],
    ['~"two words"', { kind: 'label', value: 'two words', quoted: true }],
    ['~12', { kind: 'label', value: '12' }],
    ['~"12"', { kind: 'label', value: '12', quoted: true }],
    ['~größe', { kind: 'label', value: 'größe' }],
    ['group/project~label', { kind: 'label', project: 'group/project', value: 'label' }],
    ['%milestone', { kind: 'milestone', value: 'milestone' }],
    ['%v1.0', { kind: 'milestone', value: 'v1.0' }],
    ['%"two words"', { kind: 'milestone', value: 'two words', quoted: true }],
    ['group/project%1', { kind: 'milestone', project: 'group/project', value: '1' }],
    ['$12', { kind: 'snippet', value: '12' }],
    ['group/project$12', { kind: 'snippet', project: 'group/project', value: '12' }],
    ['&3', { kind: 'epic', value: '3' }],
    ['group/sub&3', { kind: 'epic', group: 'group/sub', value: '3' }],
    ['abcdef1', { kind: 'commit', value: 'abcdef1' }],
    ['ABCDEF0123', { kind: 'commit', value: 'abcdef0123' }],
    ['0123456789'.repeat(4), { kind: 'commit', value: '0123456789'.repeat(4) }],
    ['group/project@abcdef1', { kind: 'commit', project: 'group/project', value: 'abcdef1' }],
  ])('%s', (text, reference) => {
    expect(found(text)).toEqual([[text, reference]])
    expect(found(`(${text})`)).toEqual([[text, reference]])
    expect(found(`see ${text}, please`)).toEqual([[text, reference]])
  })

  test('several in a row', () => {
    expect(found('#1,!2 @a ~b.~"c d"; abcdef1...abcdef2').map(([text]) => text)).toEqual([
      '#1',
      '!2',
      '@a',
      '~b',
      '~"c d"',
      'abcdef1',
      'abcdef2',
    ])
    expect(found('@one/@two').map(([text]) => text)).toEqual(['@one', '@two'])
    expect(found('done.#1 -#2 see:#3').map(([text]) => text)).toEqual(['#1', '#2', '#3'])
  })

  test('punctuation at the end is not part of it', () => {
    expect(one('@user.')?.value).toBe('user')
    expect(one('@group/sub/')?.value).toBe('group/sub')
    expect(one('@user-')?.value).toBe('user')
    expect(one('~label?')?.value).toBe('label')
    expect(one('%v1.0.')?.value).toBe('v1.0')
  })
})

describe('what is none', () => {
  test.each([
    '#',
    '# 1',
    '#a',
    '#1a',
    '#12345678901',
    '##1',
    '!!2',
    '!x',
    '@',
    '@-',
    '@ user',
    '@@user',
    'me@mail.example',
    'a@b',
    '~',
    '~/x',
    '~~x~~',
    '~"',
    '~""',
    '~"no end',
    `~"${'a'.repeat(256)}"`,
    '% 5',
    '$',
    '$x',
    '$$12',
    '&',
    '&&3',
    '&amp',
    'abcdef',
    'abcdefg1',
    'xabcdef1',
    'abcdef1x',
    'a/abcdef1',
    'abcdef1.txt',
    '0'.repeat(41),
    '-x/y#1',
    '../up#1',
    'a//b#1',
    '/a/b#1',
    'a.git/b#1',
    `${'a/'.repeat(21)}a#1`,
    'é_#a',
  ])('%s', (text) => {
    expect(found(text)).toEqual([])
  })

  test('the end of a longer word', () => {
    expect(scanReferences('#1', { before: '', after: 'a' })).toEqual([])
    expect(scanReferences('#1', { before: '_', after: '' })).toEqual([])
    expect(scanReferences('abcdef1', { before: 'a', after: '' })).toEqual([])
    expect(scanReferences('#1', { before: '*', after: '*' })).toHaveLength(1)
  })
})

test('in any text the references found are in order, apart, and made of the characters they were found at', () => {
  const piece = fc.constantFrom(
    '#',
    '!',
    '@',
    '~',
    '%',
    '$',
    '&',
    '"',
    '/',
    '.',
    '-',
    '_',
    ' ',
    'a',
    'b/c',
    '1',
    '12',
    'abcdef1',
    'é',
    '\n',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (parts) => {
      const text = parts.join('')
      let last = 0
      for (const { start, end, reference } of scanReferences(text)) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        const written = text.slice(start, end)
        expect(written.toLowerCase()).toContain(reference.value.toLowerCase())
        expect(written.startsWith(reference.project ?? reference.group ?? '')).toBe(true)
        last = end
      }
    }),
    propertyRuns(500),
  )
})
