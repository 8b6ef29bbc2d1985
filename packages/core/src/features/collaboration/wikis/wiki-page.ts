import { type FrontMatter, splitFrontMatter } from './front-matter.ts'

/** The markup languages of wiki pages. */
export const wikiFormats = ['markdown', 'rdoc', 'asciidoc', 'org'] as const

export type WikiFormat = (typeof wikiFormats)[number]

/** A page of the wiki of a project or a group. */
export interface WikiPage {
  /** Id on the instance. */
  id: number
  /** Name in URLs, unique in the wiki: the title with `-` instead of spaces. */
  slug: string
  /** Title, which can contain directories: `docs/Set up`. */
  title: string
  /** Markup language of the text. */
  format: WikiFormat
  /** Text of the page, or its HTML if that was requested; omitted in lists without content. */
  content?: string
  /** Settings at the beginning of the text, such as a title that is shown instead of the name; omitted in lists without content. */
  frontMatter?: FrontMatter
}

/** A page without the settings at the beginning of its text. */
export type WikiText = Omit<Required<WikiPage>, 'frontMatter'>

/** A page with the parts of its stored text. */
export const toWikiPage = ({ id, slug, title, format, content }: WikiText): Required<WikiPage> => ({
  id,
  slug,
  title,
  format,
  ...splitFrontMatter(content),
})

/** A file for pages of a wiki. */
export interface WikiAttachment {
  /** Name of the file, safe for use in URLs. */
  fileName: string
  /** Path that pages link to: `uploads/<secret>/<file name>`. */
  filePath: string
}
