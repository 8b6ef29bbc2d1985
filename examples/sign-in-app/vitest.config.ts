import { defineConfig } from 'vitest/config'

// Node.js loads the sources of the packages of this workspace. Not required outside the workspace.
// The time limit is for busy machines that run the tests of the workspace.
export default defineConfig({
  test: {
    execArgv: ['--conditions=source'],
    experimental: { viteModuleRunner: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
