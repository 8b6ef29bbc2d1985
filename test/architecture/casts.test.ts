import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { descriptionsPath } from '../reference/descriptions/descriptions-file.ts'
import { listAllSources, root } from '../reference/descriptions/program.ts'

/** Casts per 1,000 lines of the packages. May only become smaller. */
const limit = 4

const generated = join(root, descriptionsPath)
const files = listAllSources()
  .filter((path) => path !== generated)
  .map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest))

const findAll = (matches: (node: ts.Node, file: ts.SourceFile) => boolean): readonly string[] =>
  files.flatMap((file) => {
    const places: string[] = []
    const visit = (node: ts.Node): void => {
      if (matches(node, file)) places.push(`${basename(file.fileName)}: ${node.getText(file)}`)
      ts.forEachChild(node, visit)
    }
    visit(file)
    return places
  })

test(`the sources have at most ${limit} casts per 1,000 lines`, () => {
  const casts = findAll((node, file) => ts.isAsExpression(node) && node.type.getText(file) !== 'const')
  const lines = files.reduce((sum, file) => sum + file.getLineStarts().length - 1, 0)
  expect(casts.length).toBeGreaterThan(100)
  expect(casts.length / (lines / 1_000), 'use the type of the value, a type guard, or defined()').toBeLessThan(limit)
})

test('no cast is written as ! or with angle brackets', () => {
  expect(findAll((node) => ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node))).toEqual([])
})
