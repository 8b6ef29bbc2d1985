import { exportSeed } from '@forgelet/core/seed'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { beforeAll, expect, test } from 'vitest'
import { type ColumnValues, readColumnValues } from './column-values.ts'
import { completeSeed } from './complete-seed.ts'
import { type Exception, internal, notExported, notSeeded } from './stored-fields.ts'

/**
 * A stored field that a seed cannot set, or that an export does not contain, is easily forgotten: every other test passes. This test
 * compares the database of `completeSeed` with that of its export.
 */

let seeded: ReadonlyMap<string, ColumnValues>
let exported: ReadonlyMap<string, ColumnValues>

const readColumns = async (forge: FakeForge) => {
  const columns = await readColumnValues(forge)
  await forge.close()
  return columns
}

beforeAll(async () => {
  const forge = await fakeForge({ seed: completeSeed })
  const { seed } = await exportSeed(forge.platform, {
    readRepository: async ({ fullPath }) => completeSeed.projects?.find(({ path }) => path === fullPath)?.repository,
  })
  seeded = await readColumns(forge)
  exported = await readColumns(await fakeForge({ seed }))
})

/** Whether the rows contain what only a field of the seed can have caused, not only the same value everywhere. */
const isSet = ({ rows, values, hasNull, isReference, isJson, fallback }: ColumnValues): boolean =>
  isReference || isJson || rows === 1
    ? [...values].some((value) => value !== fallback)
    : values.size + Number(hasNull) > 1

/** Whether values are missing in the database of the export. */
const isLost = ({ name, values, isReference }: ColumnValues): boolean => {
  const copies = exported.get(name)?.values ?? new Set()
  return isReference ? values.size > 0 && copies.size === 0 : [...values].some((value) => !copies.has(value))
}

/** Times of the system, which can be equal in all rows or not. */
const isTime = ({ name }: ColumnValues) => /\.(created|updated)_at$/.test(name)

const list = (isGap: (column: ColumnValues) => boolean) =>
  [...seeded.values()].filter((column) => !isTime(column) && isGap(column)).map(({ name }) => name)

/** The gaps without a reason, and the reasons without a gap. */
const compare = (gaps: readonly string[], exceptions: readonly Exception[], advice: string) => ({
  gaps: gaps.filter((name) => !exceptions.some(([pattern]) => pattern.test(name))).map((name) => `${name}: ${advice}`),
  unused: exceptions.filter(([pattern]) => !gaps.some((name) => pattern.test(name))),
})

const recipe = 'see "Add a stored field" in CONTRIBUTING.md, or add the reason to test/architecture/stored-fields.ts'

test('a seed sets every column', () => {
  expect(seeded.size).toBeGreaterThan(900)
  const advice = `add a field to its section in packages/core/src/seed/ and set it in test/architecture/complete-seed.ts; ${recipe}`
  const found = compare(
    list((column) => !isSet(column)),
    [...notSeeded, ...internal],
    advice,
  )
  expect(found.gaps).toEqual([])
  expect(found.unused).toEqual([])
})

test('an export contains every column that a seed sets', () => {
  const advice = `return it from its file in packages/core/src/seed/export/; ${recipe}`
  const found = compare(list(isLost), [...notExported, ...internal], advice)
  expect(found.gaps).toEqual([])
  expect(found.unused.filter(([pattern]) => notExported.some(([other]) => other === pattern))).toEqual([])
})
