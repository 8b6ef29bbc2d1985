import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { features, type Operation } from '@forgelet/core/operations'
import { describe, expect, test } from 'vitest'
import { cyclesIn } from './cycles.ts'
import { type Import, root, type Source, sources } from './imports.ts'
import { findInserts, uncheckedInserts } from './inserts.ts'
import { exceptions, furtherFolders, groups, layers, packages, privateToFeature, sharedFolders } from './layers.ts'

const shipped = sources.filter(({ test }) => !test)
const packageOf = (path: string) => path.split('/')[1] as string
const formatImport = ({ from, to }: Import) => `${from} → ${to}`
const offenders = (of: readonly Source[], isWrong: (candidate: Import) => boolean) =>
  of.flatMap(({ imports }) => imports.filter(isWrong)).map(formatImport)
const filesWith = (of: readonly Source[], pattern: RegExp) =>
  of.filter(({ code }) => pattern.test(code)).map(({ path }) => path)

test('the import parser finds imports', () => {
  expect(sources.length).toBeGreaterThan(100)
  const targetsOf = (name: string) =>
    sources
      .find(({ path }) => path === `packages/core/src/${name}`)
      ?.imports.map(({ to, typeOnly }) => `${to}${typeOnly ? ' (type)' : ''}`)
  expect(targetsOf('platform.ts')).toContain('packages/core/src/features.ts')
  expect(targetsOf('platform.ts')).toContain('packages/core/src/kernel/call.ts (type)')
  expect(targetsOf('kernel/operation.ts')).toContain('valibot')
})

test('relative imports name existing files with their extension', () => {
  expect(offenders(sources, ({ to, relative }) => relative && !existsSync(join(root, to)))).toEqual([])
})

describe('packages', () => {
  test('import each other in one direction only', () => {
    const wrong = ({ from, to }: Import) => {
      const other = /^@forgelet\/([a-z]+)/.exec(to)?.[1]
      return other !== undefined && !packages[packageOf(from)]?.includes(other)
    }
    expect(offenders(shipped, wrong)).toEqual([])
  })

  test('import each other by package name, not by path', () => {
    const wrong = ({ from, to, relative }: Import) => relative && !to.startsWith(`packages/${packageOf(from)}/`)
    expect(offenders(shipped, wrong)).toEqual([])
  })
})

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly source?: string }>>
  readonly bin?: Readonly<Record<string, string>>
}

/** The sources of the exports and commands of a package. */
const entryPointsOf = (name: string): string[] => {
  const folder = `packages/${name}`
  const { exports, bin = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  const exported = Object.values(exports).flatMap(({ source }) => source ?? [])
  const commands = Object.values(bin).map((file) => file.replace('dist/', 'src/').replace(/\.js$/, '.ts'))
  return [...exported, ...commands].map((file) => join(folder, file))
}

/** `features` for `packages/core/src/features/planning/labels/label.ts`, `policy.ts` for `packages/core/src/policy.ts`. */
const layerOf = (path: string) => path.split('/')[3] as string

const core = shipped.filter(({ path }) => packageOf(path) === 'core')

describe('layers of core', () => {
  test('import only lower layers at run time', () => {
    const wrong = ({ from, to, relative, typeOnly }: Import) => {
      const allowed = layers[layerOf(from)]
      return relative && !typeOnly && allowed !== undefined && !allowed.includes(layerOf(to))
    }
    expect(offenders(core, wrong)).toEqual([])
  })

  test('are all listed, except entry points', () => {
    const present = new Set(core.map(({ path }) => layerOf(path)))
    const entries = entryPointsOf('core').map(layerOf)
    expect([...present].filter((layer) => layers[layer] === undefined && !entries.includes(layer))).toEqual([])
  })

  test('access imports no features, not even types', () => {
    const wrong = ({ from, to }: Import) => layerOf(from) === 'access' && layerOf(to) === 'features'
    expect(offenders(core, wrong)).toEqual([])
  })

  test('contract contains only types', () => {
    const contract = core.filter(({ path }) => layerOf(path) === 'contract')
    expect(contract.length).toBeGreaterThan(3)
    expect(filesWith(contract, /^(?:import(?! type)|export (?!interface|type)|const|let|function)/m)).toEqual([])
  })
})

describe('the schema', () => {
  const folder = 'packages/core/src/db/schema/'

  test('consists of SQL texts, which import nothing', () => {
    const isText = (path: string) => path.startsWith(`${folder}tables/`)
    expect(core.filter(({ path }) => isText(path)).length).toBeGreaterThan(5)
    expect(offenders(core, ({ from }) => isText(from))).toEqual([])
  })
})

/** `planning/labels` for `packages/core/src/features/planning/labels/label.ts`. */
const folderOf = (path: string) =>
  layerOf(path) === 'features' ? path.split('/').slice(4, -1).slice(0, 2).join('/') : undefined
const groupOf = (path: string) => groups.indexOf(path.split('/')[4] as string)

/** The folders of the operations of each family in the table. */
const operationFolders = (() => {
  const { code, imports } = sources.find(({ path }) => path === 'packages/core/src/features.ts') as Source
  const folders = new Map(imports.flatMap(({ to, names }) => names.map((name) => [name, folderOf(to)] as const)))
  const table = /^export const features = \{$([\s\S]*?)^\}/m.exec(code)?.[1] ?? ''
  return new Map(
    Array.from(table.matchAll(/^ {2}(\w+)(?:: (\{[^}]*\}|\w+))?,$/gm), ([, family = '', value = family]) => {
      const parts = Array.from(value.matchAll(/\w+/g), ([name]) => folders.get(name))
      return [family, new Set(parts.filter((folder) => folder !== undefined))] as const
    }),
  )
})()

/** `mergeRequests` → `merge-requests`. */
const toFolderName = (family: string) => family.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

describe('features', () => {
  const files = core.filter(({ path }) => layerOf(path) === 'features')
  const between = files
    .flatMap(({ imports }) => imports)
    .filter(({ to, from }) => folderOf(to) !== undefined && folderOf(to) !== folderOf(from))

  test('are in folders of the groups', () => {
    expect(files.map(({ path }) => path).filter((path) => groupOf(path) < 0 || !folderOf(path)?.includes('/'))).toEqual(
      [],
    )
    expect(new Set(files.map(({ path }) => groupOf(path))).size).toBe(groups.length)
  })

  test('import only features of their own group and of those below it, even types', () => {
    expect(between.length).toBeGreaterThan(10)
    const isException = ({ from, to }: Import) =>
      exceptions.some((exception) => exception.from === from && exception.to === to)
    const wrong = between.filter((found) => groupOf(found.to) > groupOf(found.from) && !isException(found))
    expect(wrong.map(formatImport)).toEqual([])
  })

  test('use every listed exception', () => {
    const unused = exceptions.filter(({ from, to }) => !between.some((used) => used.from === from && used.to === to))
    expect(unused).toEqual([])
  })

  test('import only queries, subjects and domain files of each other', () => {
    expect(between.filter(({ to }) => privateToFeature.test(to)).map(formatImport)).toEqual([])
  })

  test('have all operations of a family in one folder with its name', () => {
    expect([...operationFolders.keys()]).toEqual(Object.keys(features))
    const found = Array.from(operationFolders, ([family, folders]) => {
      const others = [...folders].filter((folder) => folder !== furtherFolders[family])
      return `${family}: ${others.map((folder) => folder.replace(/^[^/]*\//, '')).join(', ')}`
    })
    expect(found).toEqual(Object.keys(features).map((family) => `${family}: ${toFolderName(family)}`))
  })

  test('have no folders besides those of families and the listed ones', () => {
    const families = new Set(Array.from(operationFolders.values(), (folders) => [...folders]).flat())
    const present = new Set(files.map(({ path }) => folderOf(path) as string))
    expect([...present].filter((folder) => !families.has(folder) && !sharedFolders.includes(folder))).toEqual([])
    expect(sharedFolders.filter((folder) => !present.has(folder) || families.has(folder))).toEqual([])
  })
})

describe('all code', () => {
  test('has no import cycles, not even of types', () => {
    expect(cyclesIn(sources).map((files) => files.join(' → '))).toEqual([])
  })

  test('detects an import cycle', () => {
    const file = (path: string, to: string, typeOnly = false): Source => ({
      path,
      code: '',
      test: false,
      imports: [{ from: path, to, relative: true, typeOnly, names: [] }],
    })
    expect(cyclesIn([file('a', 'b'), file('b', 'c'), file('c', 'b')])).toEqual([['b', 'c', 'b']])
    expect(cyclesIn([file('a', 'b'), file('b', 'a', true)])).toEqual([['a', 'b', 'a']])
  })

  test('is imported by an entry point, so sources contain no test support', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]))
    const reached = new Set(Object.keys(packages).flatMap(entryPointsOf))
    // A set also iterates over the values that are added during the iteration.
    for (const path of reached) for (const { to } of byPath.get(path)?.imports ?? []) reached.add(to)
    expect(shipped.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([])
  })

  test('has no default exports', () => {
    expect(filesWith(sources, /^export default|^export \{[^}]*\bas default\b/m)).toEqual([])
  })

  test('creates no regular expression from a variable', () => {
    expect(filesWith(shipped, /\bnew RegExp\((?!\s*['"][^'"]*['"]\s*[,)])|(?<![.\w])RegExp\(/)).toEqual([])
  })

  test('contains SQL fragments in db/ only', () => {
    const wrong = ({ from, to, names }: Import) =>
      to === 'kysely' && names.includes('sql') && !from.startsWith('packages/core/src/db/')
    expect(offenders(shipped, wrong)).toEqual([])
  })
})

describe('inserts', () => {
  const inserts = shipped.flatMap(({ path, code }) => findInserts(code).map((insert) => ({ path, ...insert })))

  test('are found, prepared ones included', () => {
    expect(inserts.length).toBeGreaterThan(60)
    expect(inserts.find(({ path }) => path.endsWith('/labels/mutations.ts'))).toMatchObject({ table: 'label' })
  })

  test('set every column: their rows satisfy CompleteRow', () => {
    const isChecked = ({ path, table }: (typeof inserts)[number]) =>
      uncheckedInserts.some((known) => known.path === path && known.table === table)
    const incomplete = inserts.filter((insert) => !insert.complete && !isChecked(insert))
    expect(
      incomplete.map(({ path, table }) => `${path}: write .values({ … } satisfies CompleteRow<'${table}'>)`),
    ).toEqual([])
  })

  test('have no exception that is not used', () => {
    const isUsed = (known: (typeof uncheckedInserts)[number]) =>
      inserts.some(({ path, table, complete }) => !complete && path === known.path && table === known.table)
    expect(uncheckedInserts.filter((known) => !isUsed(known))).toEqual([])
  })

  test('an incomplete one would be found', () => {
    const complete = "db.insertInto('a').values({ x: 1 } satisfies CompleteRow<'a'>).execute()\n"
    const incomplete = "db\n  .insertInto('b')\n  .values({ x: f(1) })\n  .execute()\n"
    const wrongTable = "db.insertInto('c').values({ x: 1 } satisfies CompleteRow<'a'>)\n"
    expect(findInserts(complete + incomplete + wrongTable)).toEqual([
      { table: 'a', complete: true },
      { table: 'b', complete: false },
      { table: 'c', complete: false },
    ])
    expect(findInserts('db.insertInto(table).columns(names).expression(rows)')).toEqual([
      { table: 'table', complete: false },
    ])
    expect(findInserts("db.insertInto('a').values(rows)")).toEqual([{ table: 'a', complete: false }])
    const variable =
      "const rows = ids.map((id) => ({ id }) satisfies CompleteRow<'a'>)\ndb.insertInto('a').values(rows)"
    expect(findInserts(variable)).toEqual([{ table: 'a', complete: true }])
  })
})

test('core reads no environment variables', () => {
  expect(filesWith(core, /\bprocess\s*\.\s*env\b|\bfrom 'dotenv/)).toEqual([])
})

test('only the command line creates system sessions', () => {
  const adapter = shipped.filter(({ path }) => packageOf(path) === 'http' && !/\/src\/cli(\/|\.ts)/.test(path))
  expect(adapter.length).toBeGreaterThan(20)
  expect(filesWith(adapter, /\{\s*system\s*[:,}]/)).toEqual([])
})

describe('commands declare what they serialize on', () => {
  const commands = Object.entries(features).flatMap(([feature, operations]) =>
    Object.entries(operations as Readonly<Record<string, Operation>>)
      .filter(([, { mode }]) => mode === 'command')
      .map(([name, operation]) => ({ name: `${feature}.${name}`, ...operation })),
  )
  const namesOf = (wrong: (command: (typeof commands)[number]) => boolean) =>
    commands.filter(wrong).map(({ name }) => name)
  const isInstance = (kind: string) => ['instance', 'currentUser', 'user'].includes(kind)

  test('those without a container serialize on the instance or on the user', () => {
    expect(commands.length).toBeGreaterThan(100)
    expect(
      namesOf(({ kinds, serializes = '' }) => kinds.every(isInstance) && !['instance', 'user'].includes(serializes)),
    ).toEqual([])
  })

  test('only those without a container serialize on the user', () => {
    expect(namesOf(({ kinds, serializes }) => serializes === 'user' && !kinds.every(isInstance))).toEqual([])
  })

  // Their loaders take no lock of a container, so the store repeats them with the lock of the instance.
  test('those with other loaders are not declared for projects', () => {
    const withoutLock = ['instance', 'currentUser', 'user', 'namespace', 'scimGroup', 'ownSnippet']
    expect(
      namesOf(({ kinds, serializes }) => serializes === 'project' && kinds.some((kind) => withoutLock.includes(kind))),
    ).toEqual([])
  })

  test('queries serialize on nothing', () => {
    const queries = Object.values(features).flatMap((operations) =>
      Object.values(operations as Readonly<Record<string, Operation>>).filter(({ mode }) => mode === 'query'),
    )
    expect(queries.filter(({ serializes }) => serializes !== undefined)).toEqual([])
  })
})
