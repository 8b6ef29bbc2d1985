import * as linguist from 'linguist-languages'
import { expect, test } from 'vitest'
import { detectLanguages } from './detect.ts'

/** One line per language: type, group, extensions, file names and aliases. */
const formatLanguages = () => {
  const lines = Object.values(linguist).map(
    ({
      name,
      type,
      group,
      extensions,
      filenames,
      aliases,
    }: (typeof linguist)[keyof typeof linguist] & {
      readonly group?: string
      readonly extensions?: readonly string[]
      readonly filenames?: readonly string[]
      readonly aliases?: readonly string[]
    }) => {
      const lists = [extensions, filenames, aliases].map((list = []) => list.join(','))
      return `  ${JSON.stringify(name)}: ${JSON.stringify([type, group === name ? '' : group, ...lists].join('|'))}`
    },
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

test('the data are those of the package', async () => {
  await expect(formatLanguages()).toMatchFileSnapshot('data.json')
})

const detect = async (sizes: Readonly<Record<string, number>>, attributes = '') => {
  const files = Object.entries(sizes).map(([path, size]) => ({ id: '', path, size }))
  const languages = await detectLanguages(files, attributes)
  return Object.fromEntries(languages.map(({ name, share }) => [name, share]))
}

test('languages are sorted by their share of the bytes of the code', async () => {
  const languages = await detect({
    'a.rb': 1,
    'b.js': 2,
    'c/d.RB': 1,
    'index.html': 1,
    'README.md': 90,
    'x.json': 90,
    'y.unknown': 90,
  })
  expect(Object.entries(languages)).toEqual([
    ['JavaScript', 40],
    ['Ruby', 40],
    ['HTML', 20],
  ])
  expect(await detect({ 'a.ts': 1, 'b.py': 2 })).toEqual({ Python: 66.67, TypeScript: 33.33 })
  expect(await detect({ 'a.ts': 1, 'b.py': 1_000_000 })).toEqual({ Python: 100 })
  expect(await detect({ 'README.md': 1, 'empty.ts': 0 })).toEqual({})
})

test('file names, long extensions and groups count', async () => {
  expect(await detect({ Dockerfile: 1, 'lib/Makefile': 1, 'view.blade.php': 1, 'x.tsx': 1 })).toEqual({
    Blade: 25,
    Dockerfile: 25,
    Makefile: 25,
    TypeScript: 25,
  })
})

test('other files of the repository decide between languages with the same extension', async () => {
  expect(await detect({ 'a.c': 1, 'a.h': 1 })).toEqual({ C: 100 })
  expect(await detect({ 'a.cpp': 1, 'a.h': 1 })).toEqual({ 'C++': 100 })
  expect(await detect({ 'a.ts': 1, 'a.xml': 9, 'b.rs': 1, 'c.pl': 1, 'd.md': 9 })).toEqual({
    Perl: 33.33,
    Rust: 33.33,
    TypeScript: 33.33,
  })
  expect(await detect({ 'a.pl': 1, 'a.prolog': 1 })).toEqual({ Prolog: 100 })
})

test('packages, minified files and documentation do not count', async () => {
  const excluded = ['node_modules/a.js', 'vendor/b.rb', 'docs/c.py', 'public/d.min.js', 'api/e.pb.go', 'src/dist/f.css']
  expect(await detect({ ...Object.fromEntries(excluded.map((path) => [path, 9])), 'src/docs/a.ts': 1 })).toEqual({
    TypeScript: 100,
  })
})

test('.gitattributes takes precedence', async () => {
  const attributes = [
    '# comment linguist-vendored',
    'vendor/** -linguist-vendored',
    '/lib/*.js linguist-vendored',
    '*.sql linguist-detectable',
    '*.x linguist-language=objective-c',
    '**/gen.py linguist-generated=true',
    'kept/gen.py linguist-generated=false',
    '*.sh text eol=lf',
  ].join('\n')
  const sizes = {
    'vendor/a/b.rb': 1,
    'lib/a.js': 9,
    'lib/deep/a.js': 1,
    'q.sql': 1,
    'm.x': 1,
    'gen.py': 9,
    'kept/gen.py': 1,
  }
  expect(await detect(sizes, attributes)).toEqual({ JavaScript: 20, 'Objective-C': 20, Python: 20, Ruby: 20, SQL: 20 })
})
