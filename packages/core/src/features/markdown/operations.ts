import * as v from 'valibot'
import { projectOrInstance } from '../../access/subjects.ts'
import { query } from '../../kernel/operation.ts'
import { getImageProxy } from '../settings/image-proxy.ts'
import { createResolver } from './resolver.ts'

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
    async run(ctx, { text, gfm }, subject) {
      const { siteUrl } = ctx.call
      const images = await getImageProxy(ctx)
      const options = { ...(siteUrl !== undefined && { baseUrl: siteUrl }), ...(images && { images }) }
      if (!gfm) return { html: ctx.ports.markdown.read(text, 'plain', options).html() }
      const document = ctx.ports.markdown.read(text, 'platform', options)
      const home = subject.kind === 'project' ? subject.project : undefined
      return { html: document.html(await createResolver(ctx, document.references, home)) }
    },
  }),
}
