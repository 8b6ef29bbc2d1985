import { defineConfig } from 'vitest/config'

// Resolves the packages of this workspace to their sources. Not required outside the workspace.
export default defineConfig({ ssr: { resolve: { conditions: ['source', 'module', 'node'] } } })
