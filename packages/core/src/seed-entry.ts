/** For command lines and fixtures: seed data. */
import './db/supported-node.ts'

export { demo, demoWithCode } from './seed/demo.ts'
export { type ExportedSeed, exportSeed } from './seed/export/export-seed.ts'
export type { ExportOptions } from './seed/export/exporter.ts'
export { parseSeed, type Seed, type SeedOptions, type SeedResult, SeedSchema, seed } from './seed/seed.ts'
