import * as v from 'valibot'
import { projectOrInstance } from '../../access/subjects.ts'
import { query } from '../../kernel/operation.ts'
import { imageProxy } from '../settings/image-proxy.ts'
import { resolver } from './resolver.ts'

export const markdown = {
  /**
   * Markdown as HTML that a page may show. With `gfm` it has the platform's own extras: references such as `#1` become
   * links where the caller may read what they name, in the given project when they name none.
   */
  render: query({
    on: projectOrInstance,
    can: 'markdown.render',
    reading: false,
    input: { text: v.string(), gfm: v.optional(v.boolean(), false) },
    async run(ctx, { text, gfm }, subject) {
      const { siteUrl } = ctx.call
      const images = await imageProxy(ctx)
      const options = { ...(siteUrl !== undefined && { baseUrl: siteUrl }), ...(images && { images }) }
      if (!gfm) return { html: ctx.ports.markdown.read(text, 'plain', options).html() }
      const document = ctx.ports.markdown.read(text, 'platform', options)
      const home = subject.kind === 'project' ? subject.project : undefined
      return { html: document.html(await resolver(ctx, document.references, home)) }
    },
  }),
}
