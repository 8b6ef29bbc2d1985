import type { Platform } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import type { RequestContext } from '../app/request-context.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'

const path = '/api/graphql'

/** Replies to GraphQL requests; undefined for all others. The schema is imported on first use. */
export const createGraphqlResponder = (platform: Platform, options: AppOptions, site: Site) => {
  let handler: Promise<(context: RequestContext) => Promise<Reply>> | undefined
  return (context: RequestContext): Promise<Reply> | undefined => {
    if (context.path !== path) return undefined
    context.log.route = path
    context.log.operation = 'graphql'
    handler ??= import('./graphql-handler.ts').then(({ createGraphqlHandler }) =>
      createGraphqlHandler(platform, options, site),
    )
    return handler.then((handle) => handle(context))
  }
}
