/** A text to start a new file with. */
export interface FileTemplate {
  /** Unique in its kind, such as `Node` or `mit`. */
  readonly key: string
  /** Display name, such as `Node.js` or `MIT License`. */
  readonly name: string
  /** The text. In licenses, `[year]`, `[fullname]`, `[project]` and the placeholders of well-known licenses are replaced. */
  readonly content: string
}

/** The text of a license and what it says. */
export interface LicenseTemplate extends FileTemplate {
  /** A common shorter name. */
  readonly nickname?: string
  /** One sentence about it. */
  readonly description?: string
  /** Whether it is among the most common ones. Default: false. */
  readonly popular?: boolean
  /** URL of a page about it. */
  readonly htmlUrl?: string
  /** URL of its original text. */
  readonly sourceUrl?: string
  /** What it requires, such as `include-copyright`. */
  readonly conditions?: readonly string[]
  /** What it allows, such as `commercial-use`. */
  readonly permissions?: readonly string[]
  /** What it limits, such as `liability`. */
  readonly limitations?: readonly string[]
}
