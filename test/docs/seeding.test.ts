import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSeedFile } from '../../packages/http/src/cli/seed-file.ts'
import { seedParts } from './seed-parts.ts'
import { root } from './snippets.ts'

const page = readFileSync(join(root, 'docs/guide/seeding.md'), 'utf8')

/** Each table of the guide with the paths in the heading above it; `*.notes` matches any path with that ending. */
const tables = page
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const names = lines.flatMap((line) => /^\| (?:\*\*)?`([$\w]+)`(?:\*\*)? /.exec(line)?.[1] ?? [])
    return { paths: [...heading.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string), names }
  })

const matchesAny = (path: string, patterns: readonly string[]) =>
  path === ''
    ? patterns.length === 0
    : patterns.some((pattern) => pattern === path || (pattern[0] === '*' && path.endsWith(pattern.slice(1))))

test('each object of a seed has one table with exactly its entries', () => {
  const parts = seedParts()
  expect(parts.length).toBeGreaterThan(30)
  for (const { paths } of parts) {
    const matching = tables.filter((table) => paths.every((path) => matchesAny(path, table.paths)))
    expect(matching, `a table for ${paths.join(', ') || 'the root'}`).toHaveLength(1)
  }
  for (const table of tables) {
    const matching = parts.filter(({ paths }) => paths.every((path) => matchesAny(path, table.paths)))
    const names = [...new Set(matching.flatMap((part) => part.names))].sort()
    const place = table.paths.join(', ') || 'the root'
    expect([...table.names].sort(), `the rows of the table ${place} in docs/guide/seeding.md`).toEqual(names)
  }
})

/** Its blocks are jobs; `continuous-integration.test.ts` runs them. */
const jobs = 'docs/guide/continuous-integration.md'
const yamlBlocks = ['README.md', ...globSync('docs/**/*.md', { cwd: root, exclude: [jobs] })].flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```yaml\n(?<yaml>[\s\S]*?)^```$/gm)].map(({ groups }) => ({
    file,
    yaml: groups?.yaml as string,
  })),
)

test.each(yamlBlocks)('the YAML in $file is a valid seed', async ({ yaml }) => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-seed-'))
  try {
    writeFileSync(join(folder, 'world.yaml'), yaml)
    const seed = await readSeedFile(join(folder, 'world.yaml'))
    expect(Object.keys(seed).length).toBeGreaterThan(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
