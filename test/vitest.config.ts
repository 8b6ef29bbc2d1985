import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')
const include = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*/*.test.ts']

/** Files that make a world run on both databases; all others know nothing of a database and run once. */
const onBoth = globSync(include, { cwd: root }).filter((file) =>
  /from '(\.\.\/)*(\.\/)?(test\/)?world\.ts'/.test(readFileSync(join(root, file), 'utf8')),
)

/** Families whose tests also run with tables under names of the host's choice. None of them writes SQL of its own. */
const renamed = ['labels', 'members'].map((name) => `packages/core/src/features/${name}/${name}.test.ts`)

const common = {
  root,
  testTimeout: 30_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
}

export default defineConfig({
  root,
  // Packages of this workspace are tested from their sources.
  ssr: { resolve: { conditions: ['source', 'module', 'node'] } },
  test: {
    // By itself the runner leaves one processor free, which on a small machine is half of them.
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', './test/totals-reporter.ts'],
    projects: [
      { extends: true, test: { ...common, name: 'sqlite', include } },
      {
        extends: true,
        test: { ...common, name: 'postgres', include: onBoth, globalSetup: ['./test/postgres-server.ts'] },
      },
      { extends: true, test: { ...common, name: 'renamed-sqlite', include: renamed, provide: { naming: 'forge' } } },
      {
        extends: true,
        test: {
          ...common,
          name: 'renamed-postgres',
          include: renamed,
          globalSetup: ['./test/postgres-server.ts'],
          provide: { naming: 'forge' },
        },
      },
    ],
  },
})
