import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCompilerOptions, root } from '../reference/descriptions/program.ts'

/**
 * The texts that editors show for the built types: TypeScript's language service at positions in a file that uses the
 * published entry points. Requires a build (`pnpm build`, which `pnpm test:all` begins with).
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
  if (!existsSync(join(root, 'packages/core/dist/index.d.ts')))
    throw new Error('The packages are not built: run `pnpm build` first')
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

/** Asks the server that editors use for the definitions of names: file and text of the line. */
const findDefinitions = async (content: string, names: readonly string[]) => {
  const program = createRequire(import.meta.url).resolve('typescript/lib/tsserver.js')
  const server = spawn(process.execPath, [program, '--disableAutomaticTypingAcquisition'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    const responses = new Map<number, (body: readonly ts.server.protocol.FileSpan[]) => void>()
    createInterface(server.stdout).on('line', (line) => {
      if (!line.startsWith('{')) return
      const message = JSON.parse(line) as ts.server.protocol.Response
      if (message.type === 'response') responses.get(message.request_seq)?.(message.body)
    })
    let count = 0
    const send = (command: string, details: object) =>
      new Promise<readonly ts.server.protocol.FileSpan[]>((resolve) => {
        const seq = count++
        responses.set(seq, resolve)
        server.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: { file, ...details } })}\n`)
      })
    void send('compilerOptionsForInferredProjects', { options: { module: 'nodenext', strict: true } })
    // Without this root, the server loads the whole workspace, which has a tsconfig.json.
    void send('open', { fileContent: content, projectRootPath: import.meta.dirname })
    return await Promise.all(
      names.map(async (name) => {
        const line = content.split('\n').findIndex((found) => found.endsWith(name)) + 1
        const offset = content.split('\n')[line - 1]?.length ?? 0
        const [definition] = await send('definition', { line, offset })
        const text = definition && ts.sys.readFile(definition.file)?.split('\n')[definition.start.line - 1]?.trim()
        return { file: definition?.file.slice(root.length + 1), text }
      }),
    )
  } finally {
    server.kill()
  }
}

test('the definitions of operations, fields and functions are in the sources', { timeout }, async () => {
  const content = `${text}import { sqlite } from '@forgelet/core';\nsqlite`
  const names = ['platform.labels.create;', ').textColor;', '>[0]>).accessLevel;', 'sqlite']
  const features = 'packages/core/src/features'
  expect(await findDefinitions(content, names)).toEqual([
    { file: `${features}/planning/labels/operations.ts`, text: 'create: command({' },
    { file: `${features}/planning/labels/label.ts`, text: 'textColor: string' },
    { file: `${features}/spaces/members/operations.ts`, text: expect.stringMatching(/^accessLevel: /) },
    { file: 'packages/core/src/db/sqlite/sqlite.ts', text: expect.stringMatching(/^export function sqlite\(/) },
  ])
})
