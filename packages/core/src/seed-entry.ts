/** For command lines and fixtures: worlds written down as data. */
export { demo, demoWithCode } from './seed/demo.ts'
export { plant, readSeed, type Seed, type SeedResult } from './seed/seed.ts'
