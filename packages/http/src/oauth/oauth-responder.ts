import type { Platform } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import type { RequestContext } from '../app/request-context.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { matchOauthPath } from './oauth-paths.ts'

/** Replies to requests of the OAuth provider; undefined for all others. The provider is imported on first use. */
export const createOauthResponder = (platform: Platform, options: AppOptions, site: Site) => {
  let handler: Promise<(context: RequestContext) => Promise<Reply>> | undefined
  return (context: RequestContext): Promise<Reply> | undefined => {
    const route = options.oauth ? matchOauthPath(context.path) : undefined
    if (route === undefined) return undefined
    context.log.route = route
    handler ??= import('./oauth-handler.ts').then(({ createOauthHandler }) =>
      createOauthHandler(platform, options, site),
    )
    return handler.then((handle) => handle(context))
  }
}
