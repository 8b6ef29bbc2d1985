import * as v from 'valibot'
import { projectOrInstance } from '../../access/subjects.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { query } from '../../kernel/operation.ts'
import { getCallerKey } from '../../kernel/rate-limit.ts'
import { getImageProxy } from '../settings/image-proxy.ts'
import { createResolver } from './resolver.ts'

/** For each client network, see `getCallerKey`. */
const anonymousTextsPerMinute = 60

export const markdown = {
  /**
   * Renders Markdown as sanitised HTML. With `gfm`, the platform's extensions apply: references such as `#1` become
   * links when the caller may read their object. References without a path belong to `project`.
   */
  render: query({
    on: projectOrInstance,
    can: 'markdown.render',
    allowsReadScope: false,
    input: { text: v.string(), gfm: v.optional(v.boolean(), false) },
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
      return afterTransaction(async ({ read }) => ({
        html: await ctx.ports.markdown.render(text, gfm ? 'platform' : 'plain', {
          ...(siteUrl !== undefined && { baseUrl: siteUrl }),
          ...(imageProxy && { imageProxy }),
          resolve: (references) => read((reading) => createResolver(reading, references, home)),
        }),
      }))
    },
  }),
}
