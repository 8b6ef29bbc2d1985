import { expect, test } from 'vitest'
import { applyRecipes, recipes } from './recipes.ts'

test('the code blocks of the recipes match the files that they change', () => {
  const paths = recipes.flatMap(({ steps }) => steps.map(({ path }) => path))
  expect([...applyRecipes().keys()].toSorted()).toEqual([...new Set(paths)].toSorted())
})
