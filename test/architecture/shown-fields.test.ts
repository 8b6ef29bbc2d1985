import { expect, test } from 'vitest'
import { readResultProperties } from './shown-fields.ts'
import { type Exception, notShown } from './stored-fields.ts'

const advice =
  'add it to the wire in packages/http/src/routes/ or shapes/, see "Add a stored field" in CONTRIBUTING.md, or the reason to test/architecture/stored-fields.ts'

test('the JSON of a route contains every property of the results of operations', { timeout: 120_000 }, () => {
  const properties = readResultProperties()
  expect(properties.length).toBeGreaterThan(1_000)
  const hidden = properties.filter(({ isShown }) => !isShown)
  const matches = ([pattern]: Exception) => hidden.filter(({ name }) => pattern.test(name))
  const explained = new Set(notShown.flatMap(matches))
  expect(
    hidden.filter((property) => !explained.has(property)).map(({ name, file }) => `${name} (${file}): ${advice}`),
  ).toEqual([])
  expect(notShown.filter((exception) => matches(exception).length === 0)).toEqual([])
})
