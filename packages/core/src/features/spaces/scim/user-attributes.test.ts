import { describe, expect, test } from 'vitest'
import { findWorkEmail } from './user-attributes.ts'

describe('findWorkEmail', () => {
  test.each([
    ['a@b.c', 'a@b.c'],
    [[{ type: 'work', value: 'a@b.c' }], 'a@b.c'],
    [
      [
        { type: 'home', value: 'h@b.c' },
        { type: 'other', value: 'a@b.c', primary: true },
      ],
      'a@b.c',
    ],
    [
      [
        { type: 'work', value: 'a@b.c' },
        { type: 'home', value: 'h@b.c', primary: true },
      ],
      'a@b.c',
    ],
    [[{ value: 'a@b.c' }], 'a@b.c'],
    [[{ type: 'home', value: 'h@b.c' }], undefined],
    [[], undefined],
  ])('%j', (emails, address) => {
    expect(findWorkEmail(emails)).toBe(address)
  })

  test.each([[7], [null], [undefined], [['a@b.c']], [[null]], [[{ type: 'work', value: {} }]]])(
    'rejects %j',
    (emails) => {
      expect(() => findWorkEmail(emails)).toThrow(
        expect.objectContaining({ code: 'invalid_input', reason: 'invalid_value' }),
      )
    },
  )
})
