import { defineConfig } from 'vitest/config'

// Resolves the packages of this workspace to their sources. Not required outside the workspace.
// The time limit is for busy machines that run the tests of the workspace.
export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'module', 'node'] } },
  test: { testTimeout: 30_000 },
})
