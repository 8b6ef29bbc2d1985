import { existsSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCompilerOptions, root } from '../reference/descriptions/program.ts'

/**
 * The texts that editors show for the built types: TypeScript's language service at positions in a file that uses the
 * published entry points. Requires a build (`pnpm build`, which is part of `pnpm test`).
 */

const file = join(root, 'test', 'packed', 'hovered-file.ts')

const operations = [
  'labels.create',
  'labels.promote',
  'projects.create',
  'groups.create',
  'issues.create',
  'members.add',
  'mergeRequests.create',
  'notes.create',
  'todos.list',
  'users.create',
] as const

const inputs = {
  'labels.create': ['project', 'name', 'color', 'description', 'priority'],
  'members.add': ['accessLevel', 'expiresAt'],
  'notes.create': ['body', 'createdAt'],
  'projects.create': ['visibility'],
} as const

const outputs = {
  Label: ['color', 'textColor', 'subscribed'],
  Member: ['accessLevel', 'expiresAt'],
  Issue: ['iid', 'state', 'labels'],
  Project: ['fullPath', 'visibility'],
} as const

const lines = [
  "import type { Platform } from '@forgelet/core'",
  "import type { Issue, Label, Member, Project } from '@forgelet/core/operations'",
  'declare const platform: Platform',
  ...operations.map((name) => `platform.${name}`),
  ...Object.entries(inputs).flatMap(([name, fields]) =>
    fields.map((field) => `({} as NonNullable<Parameters<typeof platform.${name}>[0]>).${field}`),
  ),
  ...Object.entries(outputs).flatMap(([name, fields]) => fields.map((field) => `({} as ${name}).${field}`)),
]
const text = `${lines.join(';\n')};\n`

let service: ts.LanguageService
beforeAll(() => {
  if (!existsSync(join(root, 'packages/core/dist/index.d.ts'))) throw new Error('Run `pnpm build` first')
  const { customConditions: _, ...options } = readCompilerOptions()
  const readFile = (path: string) => (path === file ? text : ts.sys.readFile(path))
  service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const content = readFile(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile,
    directoryExists: ts.sys.directoryExists,
    ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
  })
})

/** The documentation of the last name in a line. */
const hover = (line: string): string => {
  const start = text.indexOf(`\n${line};\n`) + 1
  expect(start, line).toBeGreaterThan(0)
  const info = service.getQuickInfoAtPosition(file, start + line.length - 1)
  return ts.displayPartsToString(info?.documentation).replace(/\s+/g, ' ').trim()
}

const timeout = 120_000

describe('editors describe', () => {
  test.each(operations)('the operation %s', { timeout }, (name) => {
    expect(hover(`platform.${name}`)).toMatch(/^[A-Z].*\.$/)
  })

  test('the text of the comment', { timeout }, () => {
    expect(hover('platform.labels.create')).toMatch(/^Creates a label /)
    expect(hover('({} as Label).textColor')).toMatch(/^Readable color for text on `color`: /)
  })

  test.each(Object.entries(inputs).flatMap(([name, fields]) => fields.map((field) => [name, field] as const)))(
    'the input field of %s: %s',
    { timeout },
    (name, field) => {
      expect(hover(`({} as NonNullable<Parameters<typeof platform.${name}>[0]>).${field}`)).toMatch(/^[A-Z`].*\.$/)
    },
  )

  test.each(Object.entries(outputs).flatMap(([name, fields]) => fields.map((field) => [name, field] as const)))(
    'the field of %s: %s',
    { timeout },
    (name, field) => {
      expect(hover(`({} as ${name}).${field}`)).toMatch(/^[A-Z`0-9].*\.$/)
    },
  )
})
