/** For command lines and fixtures: seed data. */
export { demo, demoWithCode } from './seed/demo.ts'
export { parseSeed, type Seed, type SeedResult, seed } from './seed/seed.ts'
