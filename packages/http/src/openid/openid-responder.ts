import type { Platform } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import type { RequestContext } from '../app/request-context.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { toSignInPath } from './openid-options.ts'

/** Replies to requests of the sign-in at an OpenID Connect provider; undefined for all others. The client is imported on first use. */
export const createOpenidResponder = (platform: Platform, options: AppOptions, site: Site) => {
  const { openid, identify } = options
  let handler: Promise<(context: RequestContext) => Promise<Reply>> | undefined
  return (context: RequestContext): Promise<Reply> | undefined => {
    if (openid === undefined || identify !== undefined || context.request.method !== 'GET') return undefined
    const path = toSignInPath(openid)
    if (context.path !== path && context.path !== `${path}/callback`) return undefined
    context.log.route = context.path
    handler ??= import('./openid-handler.ts').then(({ createOpenidHandler }) =>
      createOpenidHandler(platform, options, site, openid),
    )
    return handler.then((handle) => handle(context))
  }
}
