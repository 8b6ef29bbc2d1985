import * as v from 'valibot'
import { projectOrInstance } from '../../access/subjects.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { query } from '../../kernel/operation.ts'
import { getCallerKey } from '../../kernel/rate-limit.ts'
import { getImageProxy } from '../settings/image-proxy.ts'
import { createResolver } from './resolver.ts'

/** The result of rendering. */
export interface RenderedMarkdown {
  /** Sanitised HTML. A text above the limits of time and size is shown as it was written, in a `<pre>` element. */
  html: string
}

/** For each client network, see `getCallerKey`. */
const anonymousTextsPerMinute = 60

export const markdown = {
  /**
   * Renders Markdown as sanitised HTML. References such as `#1` become links if the caller can read the object; those without a
   * path belong to `project`.
   *
   * @throws PlatformError `invalid_input` for a longer text; `limited` while too many long texts are rendered
   */
  render: query({
    on: projectOrInstance,
    can: 'markdown.render',
    allowsReadScope: false,
    input: {
      /** Markdown, at most 1,000,000 characters. */
      text: v.string(),
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
      const { siteUrl } = ctx.call
      const imageProxy = await getImageProxy(ctx)
      const home = subject.kind === 'project' ? subject.project : undefined
      return afterTransaction(
        async ({ read }): Promise<RenderedMarkdown> => ({
          html: await ctx.ports.markdown.render(text, gfm ? 'platform' : 'plain', {
            ...(siteUrl !== undefined && { baseUrl: siteUrl }),
            ...(imageProxy && { imageProxy }),
            resolve: (references) => read((reading) => createResolver(reading, references, home)),
          }),
        }),
      )
    },
  }),
}
