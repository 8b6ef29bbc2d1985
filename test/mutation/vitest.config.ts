import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { areas } from './areas.ts'

const root = join(import.meta.dirname, '../..')

export default defineConfig({
  root,
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: [...(areas[process.env.FORGELET_MUTATION_AREA ?? '']?.tests ?? [])],
    setupFiles: ['./test/mutation/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
