import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSeedFile } from '../../packages/http/src/cli/seed-file.ts'
import { seedParts } from './seed-parts.ts'
import { root } from './snippets.ts'

const page = readFileSync(join(root, 'docs/guide/seeding.md'), 'utf8')

/** Each table with the places that the heading above it names; `*.notes` is any place of that name. */
const tables = page
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const names = lines.flatMap((line) => /^\| (?:\*\*)?`(\w+)`(?:\*\*)? /.exec(line)?.[1] ?? [])
    return { places: [...heading.matchAll(/`([^`]+)`/g)].map(([, place]) => place as string), names }
  })

const isNamed = (place: string, named: readonly string[]) =>
  place === ''
    ? named.length === 0
    : named.some((one) => one === place || (one[0] === '*' && place.endsWith(one.slice(1))))

test('each part of a seed has one table, and each table names just what may stand there', () => {
  const parts = seedParts()
  expect(parts.length).toBeGreaterThan(30)
  for (const { places } of parts) {
    const telling = tables.filter((table) => places.every((place) => isNamed(place, table.places)))
    expect(telling, `a table for ${places.join(', ') || 'the whole'}`).toHaveLength(1)
  }
  for (const table of tables) {
    const told = parts.filter(({ places }) => places.every((place) => isNamed(place, table.places)))
    const names = [...new Set(told.flatMap((part) => part.names))].sort()
    expect([...table.names].sort(), table.places.join(', ') || 'the whole').toEqual(names)
  }
})

const worlds = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```yaml\n(?<world>[\s\S]*?)^```$/gm)].map(({ groups }) => ({
    file,
    world: groups?.world as string,
  })),
)

test.each(worlds)('the world in $file is a seed', async ({ world }) => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-seed-'))
  try {
    writeFileSync(join(folder, 'world.yaml'), world)
    const seed = await readSeedFile(join(folder, 'world.yaml'))
    expect(Object.keys(seed).length).toBeGreaterThan(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
