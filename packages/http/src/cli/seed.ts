import type { SeedResult } from '@forgelet/core/seed'
import { command } from './command.ts'
import { dataFlags, jsonFlag } from './options.ts'
import { table } from './table.ts'

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

const tables = (made: SeedResult): string =>
  Object.entries(made)
    .map(([section, things]) => {
      const details = [...new Set(Object.values(things).flatMap((thing) => Object.keys(thing)))]
      const rows = Object.entries(things).map(([name, thing]) => [
        name,
        ...details.map((detail) => shown(thing[detail])),
      ])
      return table([section, ...details], rows, process.stdout)
    })
    .join('\n')

/** `forgelet seed <file>`: adds a world and prints what was made under the names of the file. */
export const seedCommand = command({
  name: 'seed',
  says: 'add a world that is written down as JSON or YAML; the word demo stands for the demo world',
  positionals: ['<file>'],
  flags: { ...jsonFlag, ...dataFlags },
  examples: ['forgelet seed world.yaml', 'forgelet seed world.json --data ./forge.db --json'],
  async run({ values, written, positionals }) {
    const file = positionals[0] as string
    const { readSeedFile } = await import('./seed-file.ts')
    // Read first: a broken file leaves no empty database behind.
    const seed = await readSeedFile(file)
    const { openPlatform } = await import('./open-platform.ts')
    const { plantWorld } = await import('./plant-world.ts')
    const { platform, where } = await openPlatform(values, written)
    try {
      const made = await plantWorld(platform, seed, file)
      process.stdout.write(values.json ? `${JSON.stringify(made, undefined, 2)}\n` : tables(made))
      process.stderr.write(`Planted into ${where}\n`)
    } finally {
      await platform.close()
    }
  },
})
