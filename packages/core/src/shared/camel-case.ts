/** A name in camel case: `merge_requests`, `merge-requests` and `MergeRequests` are `mergeRequests`. */
export const toCamelCase = (name: string): string =>
  name
    .replace(/[-_]+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
