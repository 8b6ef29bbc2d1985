import { defineConfig } from 'vitest/config'

// In this workspace packages are tested from their sources. Elsewhere there is no need of this file.
export default defineConfig({ ssr: { resolve: { conditions: ['source', 'module', 'node'] } } })
