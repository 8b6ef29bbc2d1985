/** Limits of the registry client. Times are milliseconds, sizes bytes. */
export interface OciLimits {
  /** Requests at once. */
  readonly concurrentRequests: number
  /** Time for a request and its response, without the time in the queue. */
  readonly requestTimeout: number
  /** Time for a deletion, for which the registry scans all tags of the repository. */
  readonly deletionTimeout: number
  /** A manifest, an image configuration or a token. */
  readonly documentBytes: number
  /** One page of names. */
  readonly pageBytes: number
  /** Names on all pages of a list. */
  readonly listedNames: number
  /** Tags in one batch of a removal. */
  readonly tagsPerRemoval: number
}

const mebibyte = 1024 ** 2

export const defaultOciLimits: OciLimits = {
  concurrentRequests: 8,
  requestTimeout: 10_000,
  deletionTimeout: 120_000,
  documentBytes: 4 * mebibyte,
  pageBytes: 16 * mebibyte,
  listedNames: 200_000,
  tagsPerRemoval: 500,
}
