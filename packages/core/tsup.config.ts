import { defineConfig } from 'tsup'
import { buildOf } from '../build.ts'

export default defineConfig(buildOf(import.meta.dirname, '.types'))
