/** The markup languages of wiki pages. */
export const wikiFormats = ['markdown', 'rdoc', 'asciidoc', 'org'] as const

export type WikiFormat = (typeof wikiFormats)[number]

/** A page of the wiki of a project or a group. */
export interface WikiPage {
  /** Name in URLs, unique in the wiki: the title with `-` instead of spaces. */
  slug: string
  /** Title, which can contain directories: `docs/Set up`. */
  title: string
  /** Markup language of the text. */
  format: WikiFormat
  /** Text of the page, or its HTML if that was requested; omitted in lists without content. */
  content?: string
}

/** A file for pages of a wiki. */
export interface WikiAttachment {
  /** Name of the file, safe for use in URLs. */
  fileName: string
  /** Path that pages link to: `uploads/<secret>/<file name>`. */
  filePath: string
}
