import { splitPath } from '../request/target.ts'

/** `*` and all names such as `:id` match one segment. */
export const isPlaceholder = (segment: string): boolean => segment === '*' || segment.startsWith(':')

/** The segments of a pattern. Paths are below `/api/v4`, unless they start with `/api/`, `/-/`, `/_` or `/**`. */
export const splitPattern = (path: string): string[] =>
  splitPath(/^\/(api\/|-\/|_|\*\*)/.test(path) ? path : `/api/v4${path}`)
