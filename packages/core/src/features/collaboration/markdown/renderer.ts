import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { getImageProxy } from '../../administration/settings/image-proxy.ts'
import { createResolver } from './resolver.ts'

/** Creates the function that renders texts for the current user, with references relative to the project `home`. */
export const createRenderer = async (ctx: Context, home: Project | undefined) => {
  const { siteUrl } = ctx.call
  const imageProxy = await getImageProxy(ctx)
  return (read: TransactionRunner['read'], text: string, flavour: 'platform' | 'plain') =>
    ctx.ports.markdown.render(text, flavour, {
      ...(siteUrl !== undefined && { baseUrl: siteUrl }),
      ...(imageProxy && { imageProxy }),
      resolve: (references) => read((reading) => createResolver(reading, references, home)),
    })
}
