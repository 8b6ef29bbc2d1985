import { createRequire } from 'node:module'

/** The version of this package. */
export const programVersion = (): string =>
  (createRequire(import.meta.url)('@forgelet/http/package.json') as { version: string }).version
