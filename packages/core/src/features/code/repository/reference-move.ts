/** A change of one reference. `before` is null on creation, `after` on deletion. */
export interface ReferenceMove {
  /** Full name: `refs/heads/main`. */
  readonly ref: string
  /** Object id of the reference; of an annotated tag, the tag object. */
  readonly before: string | null
  readonly after: string | null
}
