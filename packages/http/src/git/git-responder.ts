import { Readable } from 'node:stream'
import { isPlatformError, type Platform, type Session } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import { findMoved } from '../app/moved.ts'
import type { RequestContext } from '../app/request-context.ts'
import { normalizeLocalPath } from '../reply/local-path.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { maxAnonymousBodySize, maxBodySize } from '../request/body-limits.ts'
import { createCall } from '../request/call.ts'
import { readProgramIdentity } from '../request/credentials.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { createCallObserver } from '../request/request-log.ts'
import { getOperationName } from '../routing/operation-names.ts'
import { gitErrorReply, toGitErrorReply } from './git-errors.ts'
import { type GitAction, gitRoutes } from './git-routes.ts'
import { findRedirectTarget, type GitRequest, lfsRoute, matchGitRequest } from './match-git-request.ts'
import { parseProtocolVersion } from './protocol-version.ts'
import { openFetchBody, openPushBody } from './request-body.ts'

const createHeaders = (type: string) => ({
  'Content-Type': `application/x-git-${type}`,
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  Pragma: 'no-cache',
})

/** The line that comes first in an advertisement, except in version 2 of the protocol. */
const formatServiceLine = (service: string) => {
  const line = `# service=git-${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

async function* prepend(start: string, content: Readable) {
  yield Buffer.from(start)
  yield* content
}

const runAction = async (
  session: Session,
  { action, project }: GitRequest & { readonly action: GitAction },
  request: IncomingRequest,
  maximumFetchSize: number,
): Promise<Reply> => {
  const protocolVersion = parseProtocolVersion(request.header('git-protocol'))
  const version = protocolVersion && { protocolVersion }
  switch (action) {
    case 'advertise-upload-pack': {
      const content = await session.gitTransport.advertiseUploadPack({ project, ...version })
      const bytes = protocolVersion === 2 ? content : Readable.from(prepend(formatServiceLine('upload-pack'), content))
      return { status: 200, bytes, headers: createHeaders('upload-pack-advertisement') }
    }
    case 'upload-pack': {
      const body = openFetchBody(request, maximumFetchSize)
      const bytes = await session.gitTransport.uploadPack({ project, body, ...version })
      return { status: 200, bytes, headers: createHeaders('upload-pack-result') }
    }
    case 'advertise-receive-pack': {
      const content = await session.gitTransport.advertiseReceivePack({ project })
      const bytes = Readable.from(prepend(formatServiceLine('receive-pack'), content))
      return { status: 200, bytes, headers: createHeaders('receive-pack-advertisement') }
    }
    case 'receive-pack': {
      const bytes = await session.gitTransport.receivePack({ project, body: openPushBody(request) })
      return { status: 200, bytes, headers: createHeaders('receive-pack-result') }
    }
  }
}

const unsupportedReply = gitErrorReply(
  403,
  'Only the smart HTTP protocol is supported: use git 1.6.6 or newer, and the URL of the repository.',
)

/** Git LFS requires a JSON message: https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md#response-errors. */
const lfsReply: Reply = {
  status: 501,
  bytes: JSON.stringify({ message: 'This server does not support Git LFS. Store the files in the repository.' }),
  headers: { 'Content-Type': 'application/vnd.git-lfs+json', 'Cache-Control': 'no-store' },
}

/**
 * Answers clients of git's HTTP protocol at the URL of a repository, such as `/acme/web.git`. The returned function returns
 * undefined for all other requests.
 */
export const createGitResponder = (
  platform: Platform,
  options: AppOptions,
  site: Site,
): ((context: RequestContext) => Promise<Reply> | Reply | undefined) => {
  const respond = async (
    { request, log }: RequestContext,
    gitRequest: GitRequest & { readonly action: GitAction },
  ): Promise<Reply> => {
    const { action } = gitRequest
    log.operation = getOperationName(gitRoutes[action].operation)
    const replySite = request.site === undefined ? site : { ...site, url: request.site }
    const hostIdentity = await options.identify?.(request.header, request.hostRequest)
    const identity = hostIdentity === undefined ? readProgramIdentity(request.header) : hostIdentity
    const call = createCall(request, replySite, options.rateLimits ?? true, createCallObserver(log))
    try {
      const maximumFetchSize = identity === null ? maxAnonymousBodySize : maxBodySize
      return await runAction(platform.as(identity, call), gitRequest, request, maximumFetchSize)
    } catch (error) {
      const reply = toGitErrorReply(error, action, identity === null)
      if (reply === undefined) throw error
      log.error = error
      if (isPlatformError(error) && error.code === 'not_found' && action.startsWith('advertise')) {
        const moved = await findMoved(platform.as(identity), gitRequest.project)
        const Location =
          moved && `${replySite.url}/${moved.fullPath}.git/info/refs?service=git-${action.slice('advertise-'.length)}`
        if (Location) return gitErrorReply(301, 'The project was renamed or moved', { Location })
      }
      logUnavailable(request, error, options.logger)
      return reply
    }
  }

  const redirect = ({ request }: RequestContext, target: string): Reply | undefined => {
    const path = normalizeLocalPath(target)
    if (path === undefined) return undefined
    const Location = `${request.site ?? site.url}${path}`
    return gitErrorReply(301, 'The URL of the repository ends with .git', { Location })
  }

  return (context) => {
    const { method } = context.request
    const redirectTarget = findRedirectTarget(method, context)
    const gitRequest = matchGitRequest(method, context)
    if (gitRequest === undefined) return redirectTarget === undefined ? undefined : redirect(context, redirectTarget)
    context.log.route = gitRequest.route
    const { action } = gitRequest
    if (gitRequest.route === lfsRoute) return lfsReply
    return action === undefined ? unsupportedReply : respond(context, { ...gitRequest, action })
  }
}
