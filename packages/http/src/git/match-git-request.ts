import type { TargetParts } from '../request/target.ts'
import type { GitAction } from './git-routes.ts'

/** A request below the URL of a repository. */
export interface GitRequest {
  /** Undefined for a request that the server does not support, such as one for a file of the repository. */
  readonly action: GitAction | undefined
  /** Full path of the project: `acme/tools/deploy`. */
  readonly project: string
  /** For the log and the metrics: `/:path.git/info/refs`. */
  readonly route: string
}

/** `/acme/web.git/info/refs`. The project is percent-encoded; other paths than these belong to the dumb protocol. */
const repositoryPath =
  /^\/(?!api\/|-\/)(.+?)\.git\/(info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/.+|info\/.+)$/

/** The first request of a client that omits `.git`: `/acme/web/info/refs`. */
const pathWithoutSuffix = /^(\/(?!api\/|-\/)(?:[^/]+\/)+[^/]+)\/info\/refs$/

/** The route of requests of Git LFS, below the URL of a repository. */
export const lfsRoute = '/:path.git/info/lfs/*'

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const toAdvertisement = (query: string): GitAction | undefined => {
  const service = new URLSearchParams(query).get('service')
  if (service === 'git-upload-pack') return 'advertise-upload-pack'
  return service === 'git-receive-pack' ? 'advertise-receive-pack' : undefined
}

const toAction = (method: string, endpoint: string, query: string): GitAction | undefined => {
  if (method === 'POST' && endpoint === 'git-upload-pack') return 'upload-pack'
  if (method === 'POST' && endpoint === 'git-receive-pack') return 'receive-pack'
  return method === 'GET' && endpoint === 'info/refs' ? toAdvertisement(query) : undefined
}

/** Undefined for a request that is not below the URL of a repository. */
export const matchGitRequest = (method: string, { path, query }: TargetParts): GitRequest | undefined => {
  const [, encoded = '', endpoint = ''] = repositoryPath.exec(path) ?? []
  const project = endpoint === '' ? undefined : decode(encoded)
  if (project === undefined) return undefined
  const action = toAction(method, endpoint, query)
  if (endpoint.startsWith('info/lfs/')) return { action, project, route: lfsRoute }
  const isKnown = action !== undefined || /^(info\/refs|git-)/.test(endpoint)
  return { action, project, route: `/:path.git/${isKnown ? endpoint : '*'}` }
}

/**
 * The target below `.git` of a client's first request without it; undefined for other requests. git sends the next requests to
 * the URL that it is redirected to.
 */
export const findRedirectTarget = (method: string, { path, query }: TargetParts): string | undefined => {
  const [, project] = pathWithoutSuffix.exec(path) ?? []
  if (project === undefined || method !== 'GET' || toAdvertisement(query) === undefined) return undefined
  return `${project}.git/info/refs?${query}`
}
