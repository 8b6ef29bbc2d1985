import type { IncomingRequest } from '../request/incoming-request.ts'

const exposedHeaders =
  'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, Forgelet-Unsupported-Parameters'

/** CORS headers of a reply; undefined for requests without `Origin`, and below `/-/`, which is not part of the API. */
export const createCorsHeaders = ({ header, target }: IncomingRequest): Record<string, string> | undefined =>
  header('origin') === undefined || target.startsWith('/-/')
    ? undefined
    : { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposedHeaders }

/** Headers of the reply to an OPTIONS request. */
export const createPreflightHeaders = (request: IncomingRequest, allow: string): Record<string, string> => {
  const cors = createCorsHeaders(request)
  if (!cors) return { Allow: allow }
  return {
    Allow: allow,
    ...cors,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': request.header('access-control-request-headers') ?? '*',
    'Access-Control-Max-Age': '7200',
  }
}
