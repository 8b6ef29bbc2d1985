/** Bounds of the client of an OCI registry. Times are milliseconds, sizes bytes. */
export interface OciLimits {
  /** Requests to the registry under way at once. */
  readonly requests: number
  /** One request with its answer, the wait for its turn aside. */
  readonly time: number
  /** One request that makes the registry look through all tags of a repository. */
  readonly deletionTime: number
  /** A manifest, or the configuration of an image. */
  readonly documentBytes: number
  /** One page of names. */
  readonly pageBytes: number
  /** Names of one list, all pages together. */
  readonly names: number
  /** Tags that are taken away together. */
  readonly untagged: number
}

const mebibyte = 1024 ** 2

export const defaultLimits: OciLimits = {
  requests: 8,
  time: 10_000,
  deletionTime: 120_000,
  documentBytes: 4 * mebibyte,
  pageBytes: 16 * mebibyte,
  names: 200_000,
  untagged: 500,
}
