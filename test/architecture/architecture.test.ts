import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '@forgelet/core/operations'
import { describe, expect, test } from 'vitest'
import { cyclesIn } from './cycles.ts'
import { type Import, root, type Source, sources } from './imports.ts'
import { exceptions, layers, packages, privateToFeature, sharedFolders, underAccess } from './layers.ts'

const shipped = sources.filter(({ test }) => !test)
const packageOf = (path: string) => path.split('/')[1] as string
const shown = ({ from, to }: Import) => `${from} → ${to}`
const offenders = (of: readonly Source[], wrong: (found: Import) => boolean) =>
  of.flatMap(({ imports }) => imports.filter(wrong)).map(shown)
const filesWith = (of: readonly Source[], pattern: RegExp) =>
  of.filter(({ code }) => pattern.test(code)).map(({ path }) => path)

test('the reader of import lines sees what there is', () => {
  expect(sources.length).toBeGreaterThan(100)
  const targetsOf = (name: string) =>
    sources
      .find(({ path }) => path === `packages/core/src/${name}`)
      ?.imports.map(({ to, typeOnly }) => `${to}${typeOnly ? ' (type)' : ''}`)
  expect(targetsOf('platform.ts')).toContain('packages/core/src/features.ts')
  expect(targetsOf('platform.ts')).toContain('packages/core/src/kernel/context.ts (type)')
  expect(targetsOf('kernel/operation.ts')).toContain('valibot')
})

test('every relative import names a file that exists, with its ending', () => {
  expect(offenders(sources, ({ to, relative }) => relative && !existsSync(join(root, to)))).toEqual([])
})

describe('packages', () => {
  test('depend on each other in one direction', () => {
    const wrong = ({ from, to }: Import) => {
      const other = /^@forgelet\/([a-z]+)/.exec(to)?.[1]
      return other !== undefined && !packages[packageOf(from)]?.includes(other)
    }
    expect(offenders(shipped, wrong)).toEqual([])
  })

  test('reach each other by name, never by path', () => {
    const wrong = ({ from, to, relative }: Import) => relative && !to.startsWith(`packages/${packageOf(from)}/`)
    expect(offenders(shipped, wrong)).toEqual([])
  })
})

/** `features` for `packages/core/src/features/labels/label.ts`, `policy.ts` for `packages/core/src/policy.ts`. */
const layerOf = (path: string) => path.split('/')[3] as string

const core = shipped.filter(({ path }) => packageOf(path) === 'core')

describe('parts of core', () => {
  test('use only the parts below them at run time', () => {
    const wrong = ({ from, to, relative, typeOnly }: Import) => {
      const allowed = layers[layerOf(from)]
      return relative && !typeOnly && allowed !== undefined && !allowed.includes(layerOf(to))
    }
    expect(offenders(core, wrong)).toEqual([])
  })

  test('are all listed, but for entry points', () => {
    const parts = new Set(core.map(({ path }) => layerOf(path)))
    const entries = Object.values(
      (JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as { exports: object }).exports,
    ).map((entry: { source?: string }) => entry.source?.slice('./src/'.length))
    expect([...parts].filter((part) => layers[part] === undefined && !entries.includes(part))).toEqual([])
  })

  test('access is built on the reads and nouns of three features only', () => {
    const wrong = ({ from, to }: Import) =>
      layerOf(from) === 'access' &&
      layerOf(to) === 'features' &&
      (!underAccess.includes(to.split('/')[4] as string) || privateToFeature.test(to))
    expect(offenders(core, wrong)).toEqual([])
  })
})

/** `labels` for `packages/core/src/features/labels/label.ts`. */
const featureOf = (path: string) => (layerOf(path) === 'features' ? path.split('/')[4] : undefined)

/** The place of each feature's folder in the table; a shared folder stands half a place before its first user. */
const places = (() => {
  const table = sources.find(({ path }) => path === 'packages/core/src/features.ts') as Source
  const folders = new Map(table.imports.flatMap(({ to, names }) => names.map((name) => [name, featureOf(to)] as const)))
  const order = new Map<string, number>()
  Object.keys(features).forEach((name, at) => {
    const folder = folders.get(name)
    if (folder !== undefined && !order.has(folder)) order.set(folder, at)
  })
  for (const [folder, first] of Object.entries(sharedFolders)) order.set(folder, (order.get(first) ?? 0) - 0.5)
  return order
})()

/** A folder that the table does not mention yet is judged from the day it stands there. */
const judged = (folder: string) => places.has(folder)

const isException = ({ from, to }: Import) => exceptions.some((known) => known.from === from && known.to === to)

describe('features', () => {
  const between = core
    .filter(({ path }) => featureOf(path) !== undefined)
    .flatMap(({ imports }) => imports)
    .filter(({ to, from }) => featureOf(to) !== undefined && featureOf(to) !== featureOf(from))

  test('are found in the table', () => {
    expect([...places.keys()]).toEqual(expect.arrayContaining(['accounts', 'labels', 'issuables']))
    expect(between.length).toBeGreaterThan(10)
  })

  test('ask only those above them in the table', () => {
    const wrong = between.filter((found) => {
      const [asking, asked] = [featureOf(found.from) as string, featureOf(found.to) as string]
      if (found.typeOnly || !judged(asking) || isException(found)) return false
      return !((places.get(asked) ?? Number.POSITIVE_INFINITY) < (places.get(asking) as number))
    })
    expect(wrong.map(shown)).toEqual([])
  })

  test('have no exception that is not used', () => {
    const unused = exceptions.filter(({ from, to }) => !between.some((found) => found.from === from && found.to === to))
    expect(unused).toEqual([])
  })

  test('ask only for queries, subjects and nouns', () => {
    expect(between.filter(({ to }) => privateToFeature.test(to)).map(shown)).toEqual([])
  })
})

describe('all code', () => {
  test('has no circles of imports at run time', () => {
    expect(cyclesIn(sources).map((files) => files.join(' → '))).toEqual([])
  })

  test('a circle would be found', () => {
    const file = (path: string, to: string, typeOnly = false): Source => ({
      path,
      code: '',
      test: false,
      imports: [{ from: path, to, relative: true, typeOnly, names: [] }],
    })
    expect(cyclesIn([file('a', 'b'), file('b', 'c'), file('c', 'b')])).toEqual([['b', 'c', 'b']])
    expect(cyclesIn([file('a', 'b'), file('b', 'a', true)])).toEqual([])
  })

  test('has no default exports', () => {
    expect(filesWith(sources, /^export default|^export \{[^}]*\bas default\b/m)).toEqual([])
  })

  test('makes no regular expression of text', () => {
    expect(filesWith(shipped, /\bnew RegExp\((?!\s*['"][^'"]*['"]\s*[,)])|(?<![.\w])RegExp\(/)).toEqual([])
  })

  test('writes SQL fragments in db/ only', () => {
    const wrong = ({ from, to, names }: Import) =>
      to === 'kysely' && names.includes('sql') && !from.startsWith('packages/core/src/db/')
    expect(offenders(shipped, wrong)).toEqual([])
  })
})

test('core reads no environment: everything comes as an option', () => {
  // The sample histories of the git tests are no part of the package, although other tests import them.
  const own = core.filter(({ path }) => !path.endsWith('/sample-history.ts'))
  expect(filesWith(own, /\bprocess\s*\.\s*env\b|\bfrom 'dotenv/)).toEqual([])
})

test('only the command line, which is a host itself, acts as the host', () => {
  const adapter = shipped.filter(({ path }) => packageOf(path) === 'http' && !/\/src\/cli(\/|\.ts)/.test(path))
  expect(adapter.length).toBeGreaterThan(20)
  expect(filesWith(adapter, /\{\s*system\s*[:,}]/)).toEqual([])
})
