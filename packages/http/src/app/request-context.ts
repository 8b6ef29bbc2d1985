import type { Protocol } from '../protocols/protocol.ts'
import { getProtocol } from '../protocols/select-protocol.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import type { RequestLog } from '../request/request-log.ts'
import { splitTarget, type TargetParts } from '../request/target.ts'

/** A request while the app processes it. */
export interface RequestContext extends TargetParts {
  readonly request: IncomingRequest
  readonly protocol: Protocol
  /** Filled in step by step and returned with the reply. */
  readonly log: RequestLog
}

export const createRequestContext = (request: IncomingRequest): RequestContext => {
  const { path, query } = splitTarget(request.target)
  return { request, path, query, protocol: getProtocol(path), log: {} }
}
