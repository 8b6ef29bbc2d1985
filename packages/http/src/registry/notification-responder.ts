import type { Platform } from '@forgelet/core'
import * as v from 'valibot'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import type { RequestContext } from '../app/request-context.ts'
import { badRequest, createErrorReply } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import { parseBody } from '../request/body.ts'
import { matchesSecret } from '../request/credentials.ts'

/** Where a registry reports pushes, as in GitLab. */
const registryNotificationPath = '/api/v4/container_registry_event/events'

/** Bytes. A registry sends its events one by one, each of about a kilobyte. */
const maxNotificationSize = 1024 * 1024

/** The part of an event that matters (Distribution, "Work with notifications"). A layer, and a manifest without a tag, have no `tag`. */
const Notification = v.object({
  events: v.pipe(
    v.array(
      v.object({
        action: v.string(),
        target: v.optional(v.object({ repository: v.optional(v.string()), tag: v.optional(v.string()) })),
      }),
    ),
    v.maxLength(1_000),
  ),
})

/**
 * Receives the notifications of a container registry, so that the repositories of pushed images are known at once. The registry sends the secret in
 * the header `Authorization`. The returned function returns undefined for all other requests.
 */
export const createNotificationResponder = (platform: Platform, { registryNotificationSecret, logger }: AppOptions) => {
  const respond = async ({ request, log }: RequestContext, secret: string): Promise<Reply> => {
    // Before the body, which strangers could send at any length.
    if (!matchesSecret(request.header('authorization') ?? '', secret)) {
      return { status: 401, body: { message: '401 Unauthorized' } }
    }
    const body = await request.body({ size: maxNotificationSize })
    const parsed = v.safeParse(Notification, await parseBody(body, request.header('content-type'), true))
    if (!parsed.success) return badRequest('events is invalid')
    const paths = parsed.output.events.flatMap(({ action, target }) =>
      action === 'push' && target?.tag !== undefined && target.repository !== undefined ? [target.repository] : [],
    )
    log.operation = 'containerRepositories.recordPushes'
    try {
      if (paths.length) await platform.as({ service: 'sign-in' }).containerRepositories.recordPushes({ paths })
      return { status: 200, body: {} }
    } catch (error) {
      const reply = createErrorReply(error, (field) => field)
      if (reply === undefined) throw error
      logUnavailable(request, error, logger)
      return reply
    }
  }

  return (context: RequestContext): Promise<Reply> | Reply | undefined => {
    if (registryNotificationSecret === undefined || context.path !== registryNotificationPath) return undefined
    context.log.route = registryNotificationPath
    if (context.request.method === 'POST') return respond(context, registryNotificationSecret)
    return { status: 405, body: { error: '405 Not Allowed' }, headers: { Allow: 'POST' } }
  }
}
