import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  settingDefinition,
  settingNames,
} from '../../../packages/core/src/features/administration/settings/definition.ts'
import { createSeedSchema } from '../../../packages/http/src/cli/seed-schema.ts'
import { createDescriptionsFile, descriptionsPath, listPropertyPaths, readSchemas } from './descriptions-file.ts'
import { createOperationPages } from './operation-pages.ts'
import { root } from './program.ts'
import { findTextProblem, listDescribedItems, listWireItems } from './quality.ts'
import { getSeedDescriptions } from './seeds.ts'

/** The comments beside operations and fields: complete, and the generated files have their current texts. */

const timeout = 300_000

const listProblems = (items: ReturnType<typeof listDescribedItems>) =>
  items.flatMap((item) => {
    const problem = findTextProblem(item)
    return problem === undefined ? [] : [`${item.place} ${item.name} ${problem}${item.text && `: ${item.text}`}`]
  })

describe('comments', () => {
  test('describe every operation, input field and output field', { timeout }, () => {
    const items = listDescribedItems()
    expect(items.length).toBeGreaterThan(1_500)
    expect(listProblems(items)).toEqual([])
  })

  test('describe every field of a response', { timeout }, () => {
    const schemas = readSchemas()
    const items = listWireItems((title) => (title === 'ApplicationSettings' ? [] : listPropertyPaths(schemas[title])))
    expect(items.length).toBeGreaterThan(900)
    expect(listProblems(items)).toEqual([])
  })

  test.each([
    ['Creates a label.', undefined],
    ['', 'has no description'],
    ['Hexadecimal digits', 'does not end with a period'],
    ['hexadecimal digits.', 'does not begin with a capital letter'],
    ['The label color.', 'repeats the name'],
    ['The label color, a string or null.', 'repeats the type'],
  ])('%j: %s', (text, problem) => {
    expect(findTextProblem({ name: 'labels.create: labelColor', text })).toBe(problem)
  })
})

test('every property of a seed has a description', { timeout }, () => {
  const items = getSeedDescriptions(listPropertyPaths).map(({ path, ...item }) => ({ name: path, ...item }))
  expect(items.length).toBeGreaterThan(300)
  expect(listProblems(items)).toEqual([])
  const schema = createSeedSchema()
  const listUndescribed = (value: unknown, path: string): readonly string[] => {
    if (value === null || typeof value !== 'object') return []
    const { properties = {} } = value as { properties?: Readonly<Record<string, { description?: string }>> }
    return [
      ...Object.entries(properties).flatMap(([name, { description }]) =>
        description ? [] : [`${path}.${name}: run pnpm docs:reference`],
      ),
      ...Object.entries(value).flatMap(([name, inner]) => listUndescribed(inner, `${path}.${name}`)),
    ]
  }
  expect(listUndescribed(schema, '')).toEqual([])
})

test('every setting has a description', () => {
  const items = settingNames.map((name) => ({
    name,
    text: settingDefinition(name).description,
    place: 'packages/core/src/features/administration/settings',
  }))
  expect(listProblems(items)).toEqual([])
})

describe('generated files', () => {
  test('descriptions.json is up to date', { timeout }, () => {
    const file = createDescriptionsFile()
    expect(readFileSync(join(root, descriptionsPath), 'utf8'), 'run pnpm docs:reference').toBe(file)
  })

  test('the pages of operations are up to date', { timeout }, () => {
    for (const [name, page] of createOperationPages()) {
      expect(readFileSync(join(root, 'docs', name), 'utf8'), `${name}: run pnpm docs:reference`).toBe(page)
    }
  })
})
