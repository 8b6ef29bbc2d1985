import type { JobDefinition } from '../../code/pipeline-records/job-definition.ts'

const isEntries = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `./dist/` is `dist`; undefined for a path out of the archive. */
const normalize = (path: string): string | undefined => {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length && !parts.includes('..') ? parts.join('/') : undefined
}

/**
 * The directory in the artifacts of a job that is the root of a site: `pages.publish`, `publish`, or else `public`. Undefined for a job
 * that builds none: it is named `pages`, or has the keyword `pages`, which is not false.
 */
export const findRoot = ({
  name,
  definition,
}: {
  readonly name: string
  readonly definition: JobDefinition | null
}): string | undefined => {
  const { pages = name === 'pages', publish } = definition?.keys ?? {}
  if (pages === false || pages === null) return undefined
  const root = isEntries(pages) && pages.publish !== undefined ? pages.publish : publish
  return root === undefined ? 'public' : typeof root === 'string' ? normalize(root) : undefined
}
