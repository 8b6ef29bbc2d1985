import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BulkDeleteRules, createTagSelector, type DatedTag, selectExpiredTags } from './bulk-delete.ts'

const now = '2026-11-21T12:00:00.000Z'

const daysAgo = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString()

/** Applies both steps as the job does. */
const tagsToDelete = (from: readonly DatedTag[], rules: BulkDeleteRules, now: string): string[] => {
  const selects = createTagSelector(rules)
  const selected = selects ? from.filter(({ name }) => selects(name)) : []
  return selectExpiredTags(selected, rules, now).map(({ name }) => name)
}

const tag = (name: string, days: number | null): DatedTag => ({ name, createdAt: days === null ? null : daysAgo(days) })

const tags = [
  tag('latest', 400),
  tag('v1.0', 30),
  tag('v1.1', 20),
  tag('v2.0', 10),
  tag('dev', 5),
  tag('unknown', null),
]

const deleted = (rules: Partial<BulkDeleteRules>, from: readonly DatedTag[] = tags) =>
  tagsToDelete(from, { nameRegexDelete: '.*', ...rules }, now)

describe('the tag latest', () => {
  test('is never deleted', () => {
    expect(deleted({})).toEqual(['v1.0', 'v1.1', 'v2.0', 'dev', 'unknown'])
    expect(deleted({ nameRegexDelete: 'latest' })).toEqual([])
  })

  test('is an exact name, not a prefix', () => {
    expect(deleted({}, [tag('latest', 1), tag('latest-1', 1), tag('Latest', 1)])).toEqual(['latest-1', 'Latest'])
  })

  test('does not count towards keepN', () => {
    expect(deleted({ keepN: 1 }, [tag('latest', 0), tag('a', 1), tag('b', 2)])).toEqual(['b'])
  })
})

describe('patterns', () => {
  test.each([
    ['v1\\..*', ['v1.0', 'v1.1']],
    ['v1', []],
    ['v', []],
    ['1', []],
    ['v1.0', ['v1.0']],
    ['v|dev', ['dev']],
    ['^v1.0$', ['v1.0']],
    ['(?i)DEV', ['dev']],
    ['', []],
  ])('deletes names that %j matches as a whole', (nameRegexDelete, names) => {
    expect(deleted({ nameRegexDelete })).toEqual(names)
  })

  test('tries all alternatives for a whole match, not only the first', () => {
    expect(deleted({ nameRegexDelete: 'v|v1|v1.0' })).toEqual(['v1.0'])
  })

  test('a line break does not end a name', () => {
    expect(deleted({ nameRegexDelete: 'a' }, [tag('a\n', 1), tag('a\nb', 1), tag('a', 1)])).toEqual(['a'])
    expect(deleted({ nameRegexDelete: '(?m)^a$' }, [tag('a\nb', 1), tag('a', 1)])).toEqual(['a'])
  })

  test.each([
    ['v.*', ['dev', 'unknown']],
    ['v', ['v1.0', 'v1.1', 'v2.0', 'dev', 'unknown']],
    ['.*', []],
    ['', ['v1.0', 'v1.1', 'v2.0', 'dev', 'unknown']],
    [undefined, ['v1.0', 'v1.1', 'v2.0', 'dev', 'unknown']],
  ])('keeps names that %j matches as a whole', (nameRegexKeep, names) => {
    expect(deleted({ nameRegexKeep })).toEqual(names)
  })

  test.each([{ nameRegexDelete: '[' }, { nameRegexKeep: '(' }, { nameRegexDelete: '(a)\\1' }])(
    'an invalid pattern deletes nothing: %j',
    (rules) => {
      expect(deleted(rules)).toEqual([])
    },
  )
})

describe('keepN', () => {
  test('keeps the newest matching tags; tags without a date count as new', () => {
    expect(deleted({ keepN: 1 })).toEqual(['dev', 'v2.0', 'v1.1', 'v1.0'])
    expect(deleted({ keepN: 3 })).toEqual(['v1.1', 'v1.0'])
    expect(deleted({ keepN: 9 })).toEqual([])
    expect(deleted({ keepN: 0 })).toEqual(['unknown', 'dev', 'v2.0', 'v1.1', 'v1.0'])
  })

  test('counts only matching tags that are not kept by name', () => {
    expect(deleted({ nameRegexDelete: 'v.*', keepN: 1 })).toEqual(['v1.1', 'v1.0'])
    expect(deleted({ nameRegexKeep: 'unknown|dev', keepN: 1 })).toEqual(['v1.1', 'v1.0'])
  })

  test('keeps the order of tags of the same age', () => {
    expect(deleted({ keepN: 1 }, [tag('a', 1), tag('b', 1), tag('c', 1)])).toEqual(['b', 'c'])
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%s deletes nothing', (keepN) => {
    expect(deleted({ keepN })).toEqual([])
  })
})

describe('olderThan', () => {
  test.each([
    ['1d', ['v1.0', 'v1.1', 'v2.0', 'dev']],
    ['7 days', ['v1.0', 'v1.1', 'v2.0']],
    ['2 weeks', ['v1.0', 'v1.1']],
    ['1month', []],
    ['29 days and 23 hours', ['v1.0']],
    ['0s', ['v1.0', 'v1.1', 'v2.0', 'dev']],
  ])('%s', (olderThan, names) => {
    expect(deleted({ olderThan })).toEqual(names)
  })

  test('does not include tags of exactly that age', () => {
    const tagCreatedAt = (createdAt: string) => deleted({ olderThan: '1h' }, [{ name: 'a', createdAt }])
    expect(tagCreatedAt('2026-11-21T11:00:00.000Z')).toEqual([])
    expect(tagCreatedAt('2026-11-21T10:59:59.999Z')).toEqual(['a'])
  })

  test.each(['', 'soon', '1 fortnight', '-1d'])('an unreadable duration deletes nothing: %j', (olderThan) => {
    expect(deleted({ olderThan })).toEqual([])
  })
})

test('applies keepN before olderThan', () => {
  // The opposite order would keep the two newest of the old tags and delete nothing.
  const some = [tag('new', 1), tag('newer', 0), tag('old', 50), tag('older', 60)]
  expect(deleted({ keepN: 2, olderThan: '30d' }, some)).toEqual(['old', 'older'])
  expect(deleted({ keepN: 3, olderThan: '30d' }, some)).toEqual(['older'])
})

test('upholds the rules for any tags', () => {
  const anyTag = fc.record({
    name: fc.constantFrom('latest', 'a', 'b', 'ab', 'abc', 'c'),
    createdAt: fc.option(fc.integer({ min: 0, max: 100 }).map(daysAgo)),
  })
  const anyRules = fc.record({
    nameRegexDelete: fc.constantFrom('.*', 'a.*', 'b|c', 'a'),
    nameRegexKeep: fc.constantFrom('', 'ab', '.b.*', '.*'),
    keepN: fc.option(fc.nat(5), { nil: undefined }),
    olderThan: fc.option(fc.constantFrom('10d', '50d', 'never'), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.uniqueArray(anyTag, { selector: ({ name }) => name }), anyRules, (some, rules) => {
      const names = tagsToDelete(some, rules, now)
      expect(new Set(names).size).toBe(names.length)
      expect(names).not.toContain('latest')
      const unlimited = tagsToDelete(
        some,
        { nameRegexDelete: rules.nameRegexDelete, nameRegexKeep: rules.nameRegexKeep },
        now,
      )
      for (const name of names) expect(unlimited).toContain(name)
      if (rules.keepN !== undefined)
        expect(unlimited.length - names.length).toBeGreaterThanOrEqual(Math.min(rules.keepN, unlimited.length))
      if (rules.olderThan !== undefined)
        for (const name of names) expect(some.find((one) => one.name === name)?.createdAt).not.toBeNull()
    }),
  )
})
