import * as v from 'valibot'
import { instance, project } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { query, type SubjectLoader } from '../../../kernel/operation.ts'
import { getCallerKey } from '../../../kernel/rate-limit.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { createRenderer } from './renderer.ts'

/** The result of rendering. */
export interface RenderedMarkdown {
  /** Sanitized HTML. A text above the limits of time and size is shown as it was written, in a `<pre>` element. */
  html: string
}

/** For each client network, see `getCallerKey`. */
const anonymousTextsPerMinute = 60

/** A page with texts that others have written, for each client network. */
const anonymousPagesPerMinute = 300

const contextEntries = {
  /** Full path (case-insensitive) of the project that relative references belong to; omitted for none. */
  project: v.optional(v.string()),
}

const context: SubjectLoader<'project' | 'instance', typeof contextEntries> = {
  kinds: ['project', 'instance'],
  entries: contextEntries,
  load: (ctx, { project: path }) =>
    path === undefined ? instance.load(ctx, {}) : project.load(ctx, { project: path }),
}

export const markdown = {
  /**
   * Renders Markdown as sanitized HTML. References such as `#1` become links if the current user can read the object; those
   * without a path belong to `project`.
   *
   * @throws PlatformError `invalid_input` for a longer text; `limited` while too many long texts are rendered
   */
  render: query({
    on: context,
    can: 'markdown.render',
    allowsReadScope: false,
    input: {
      /** Markdown, at most 1,000,000 characters. */
      text: CheckedText,
      /** Whether to apply the extensions of the platform, such as references and mentions. Default: false. */
      gfm: v.optional(v.boolean(), false),
    },
    limit: {
      name: 'markdown',
      anonymousOnly: true,
      getLimit: () => anonymousTextsPerMinute,
      getKey: (ctx) => getCallerKey(ctx),
      message: 'Too many texts were rendered without authentication. Try again later.',
    },
    async run(ctx, { text, gfm }, subject) {
      const render = await createRenderer(ctx, subject.kind === 'project' ? subject.project : undefined)
      return afterTransaction(
        async ({ read }): Promise<RenderedMarkdown> => ({ html: await render(read, text, gfm ? 'platform' : 'plain') }),
      )
    },
  }),

  /**
   * Renders the texts of a page, with the extensions of the platform, like `render`. The results are in the order of the texts.
   *
   * @throws PlatformError `invalid_input` for a longer text; `limited` while too many long texts are rendered
   */
  renderPage: query({
    beforeTerms: true,
    on: context,
    can: 'markdown.render',
    input: {
      /** At most 1,000 texts in Markdown, each of at most 1,000,000 characters. */
      texts: v.pipe(v.array(CheckedText), v.maxLength(1_000)),
    },
    limit: {
      name: 'markdown_page',
      anonymousOnly: true,
      getLimit: () => anonymousPagesPerMinute,
      getKey: (ctx) => getCallerKey(ctx),
      message: 'Too many pages were rendered without authentication. Try again later.',
    },
    async run(ctx, { texts }, subject) {
      const render = await createRenderer(ctx, subject.kind === 'project' ? subject.project : undefined)
      return afterTransaction(async ({ read }): Promise<readonly RenderedMarkdown[]> => {
        const rendered: RenderedMarkdown[] = []
        // One after another: the limit of simultaneous texts is for all callers.
        for (const text of texts) rendered.push({ html: await render(read, text, 'platform') })
        return rendered
      })
    },
  }),
}
