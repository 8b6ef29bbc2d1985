export interface TargetParts {
  /** Percent-encoded, as sent. */
  readonly path: string
  /** Without the question mark; empty if there is none. */
  readonly query: string
}

/** Splits a request target such as `/api/v4/projects?page=2`. */
export const splitTarget = (target: string): TargetParts => {
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** The segments of a path. Trailing and double slashes are ignored. */
export const splitPath = (path: string): string[] => path.split('/').filter((segment) => segment !== '')
