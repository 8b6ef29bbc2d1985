import { demo, demoWithCode } from '@forgelet/core/seed'
import type { Seed } from '@forgelet/fixtures'

const settings = { defaultBranchProtection: 1 }

/** The demo data, with default branches that developers push to and merge into. */
export const openDemo: Seed = { ...demo, settings }

/** The same with a repository. */
export const openDemoWithCode: Seed = { ...demoWithCode, settings }
