import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { listPostgresFiles, listSqliteFiles, parts } from './parts.ts'
import SlowFirst from './slow-first.ts'
import { createMemoryFolder } from './support/memory-folder.ts'

const root = join(import.meta.dirname, '..')

/** Test processes and the programs that they start load the sources; with the cache this takes half of the processor time. */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'forgelet', 'compiled')

if (process.env.TMPDIR === undefined) {
  const folder = createMemoryFolder()
  if (folder !== undefined) process.env.TMPDIR = folder
}

/** `pnpm test` and `pnpm test:all` set it; without it, the projects contain the files of both parts. */
const part = parts.find((name) => name === process.env.FORGELET_TEST_PART)

/** Features with tests that also run with other table names. These tests contain no SQL text. */
const renamed = ['labels', 'members'].map((name) => `packages/core/src/features/**/${name}/${name}.test.ts`)

/** Files that also run on the SQLite driver of Node.js. `pnpm test:node-sqlite` runs all. */
const onNodeSqlite = [
  'packages/core/src/db/{row-cache,sqlite/host-database,sqlite/sqlite}.test.ts',
  'packages/core/src/features/**/{labels,members}/*.test.ts',
  'packages/fixtures/src/world-image.test.ts',
]

const common = {
  root,
  testTimeout: 30_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  // Loading the sources for each file would take more processor time than most files need for their tests.
  isolate: false,
  globalSetup: ['./test/temporary-folder.ts'],
  setupFiles: ['./test/setup.ts'],
  // Node.js loads the files itself and removes their types; no test mocks modules. Tests use the sources of the workspace packages.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A larger young generation saves 7 % of the processor time of a file that sends thousands of requests.
  execArgv: ['--conditions=source', '--max-semi-space-size=64'],
}

/** Other drivers and names of tables. */
const variants: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      ...common,
      name: 'node-sqlite',
      include: onNodeSqlite,
      env: { FORGELET_SQLITE_DRIVER: 'node:sqlite' },
    },
  },
  { extends: true, test: { ...common, name: 'renamed-sqlite', include: renamed, provide: { naming: 'forge' } } },
  {
    extends: true,
    test: {
      ...common,
      name: 'renamed-postgres',
      include: renamed,
      globalSetup: [...common.globalSetup, './test/postgres-server.ts'],
      provide: { naming: 'forge' },
    },
  },
]

export default defineConfig({
  root,
  test: {
    // One more than there are processors, because some files mostly wait for servers, leases and timers.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', './test/totals-reporter.ts'],
    projects: [
      { extends: true, test: { ...common, name: 'sqlite', include: listSqliteFiles(part) } },
      {
        extends: true,
        test: {
          ...common,
          name: 'postgres',
          include: listPostgresFiles(part),
          globalSetup: [...common.globalSetup, './test/postgres-server.ts'],
        },
      },
      ...(part === 'main' ? [] : variants),
    ],
  },
})
