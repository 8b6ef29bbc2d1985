import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Identity, Platform } from '@forgelet/core'
import { bodyParameters, UnsupportedContentType } from './body.ts'
import { BodyTooLarge } from './body-limits.ts'
import { callOf } from './call.ts'
import { type InputReader, inputReader } from './input.ts'
import { type Host, operatorReply } from './operator-routes.ts'
import { referencePage } from './pages/reference-page.ts'
import { pagingHeaders } from './paging-headers.ts'
import { noParameters, type Parameters, queryParameters, UnreadableParameters } from './parameters.ts'
import type { Protocol } from './protocol.ts'
import { protocolAt } from './protocols.ts'
import { badRequest, crashed, tooLarge, unknownRoute } from './refusal.ts'
import type { Reply } from './reply.ts'
import type { Method, Route } from './route.ts'
import { router } from './router.ts'
import { routes } from './routes.ts'
import { limitHeaders, operationName, type Seen, witnessOf } from './seen.ts'
import type { Site } from './wire.ts'

/** Where one line a request and the causes of failures go: pino and most other loggers fit. */
export interface Logger {
  /** A line that tells what happened: one a request. */
  info(entry: object, message?: string): void
  /** A line that tells of a failure, with its cause as `err`. */
  error(entry: object, message?: string): void
}

/** How the HTTP side behaves; all of it may be left out. */
export interface AppOptions {
  /**
   * Where clients find this server, for links in replies: `https://forge.example`. Without it, `Link` is relative. With a
   * path, as in `https://example.com/forge`, addresses below that path are answered as if they began after it.
   */
  readonly baseUrl?: string
  /** What successful creations by POST answer. 200 as documented, or 201 as GitLab itself does. Default 200. */
  readonly createdStatus?: 200 | 201
  /** Where it writes its lines. Default: nowhere. */
  readonly logger?: Logger
  /**
   * For hosts with a sign-in of their own: who a request comes from. Null is nobody; undefined leaves it to the request's
   * token. `request` is what the host handed over, with whatever other middleware left on it.
   */
  readonly identify?: (header: (name: string) => string | undefined, request: HostRequest) => Identity | undefined
  /** Whether the limits hold on how often some operations may be asked (archives, new issues, raw files). Default true. */
  readonly rateLimits?: boolean
  /**
   * Reverse proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed: addresses, networks such as `10.0.0.0/8`, or
   * the word `loopback`. Only over node:http. Default: nobody is believed.
   */
  readonly trustedProxies?: readonly string[]
  /** Opens `/-/metrics` to whoever shows it as a Bearer token. Without it they open to this machine only. */
  readonly metricsToken?: string
  /**
   * Whether `/` answers browsers with a reference of the API, drawn by the package `@scalar/api-reference` where that is
   * installed, and with links where it is not. Default true.
   */
  readonly reference?: boolean
  /** Wrapped around the API, the first one outermost: what answers, watches or disturbs requests by itself. */
  readonly layers?: readonly Layer[]
}

/** A request as the host has it: node:http's own over node:http, that of `fetch` elsewhere. */
export type HostRequest = IncomingMessage | Request

/** Something around an app: it may answer itself, change what comes back, or throw, which cuts the connection. */
export type Layer = (next: App) => App

/** One request, whichever way it came in. */
export interface Ask {
  /** As it was sent: `GET`. */
  readonly method: string
  /** Path and query as they were sent: `/api/v4/projects/acme%2Fweb/labels?page=2`. */
  readonly target: string
  /** Names the request in headers and log lines. */
  readonly requestId: string
  /** The network address it came from, as the connection has it; absent where there is no connection. */
  readonly address?: string | undefined
  /** Whether a trusted proxy named the address. */
  readonly addressVouched?: boolean
  /** Where the client thinks it asks, as a trusted proxy has it: for links, where no base URL is set. */
  readonly site?: string | undefined
  /** Filled in while the request is answered. */
  readonly seen?: Seen
  /** What the host handed over. */
  readonly request: HostRequest
  /** A header by its name in any case; undefined when it was not sent. */
  header(name: string): string | undefined
  /** Ends when nobody waits for the reply any more. */
  readonly gone?: () => AbortSignal
  /** All headers, with names in lower case. */
  headers(): Readonly<Record<string, string>>
  /** The whole body; called once, and only for routes that exist. */
  body(): Uint8Array | Promise<Uint8Array>
}

/** A route, and what is worked out of it once. */
interface Served extends Pick<Route, 'method' | 'path' | 'spans'> {
  readonly route: Route
  readonly input: () => InputReader
  /** `labels.list`. */
  readonly operation: string | undefined
}

/** Answers requests. What fails inside is a reply, too; it rejects only where a layer wants the connection cut. */
export type App = (ask: Ask) => Promise<Reply>

const fallbackUrl = 'http://localhost'

const exposed = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page'

const allowed = (methods: readonly Method[]) =>
  [
    'OPTIONS',
    ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
    ...methods.filter((method) => method !== 'GET'),
  ].join(', ')

/** Methods whose parameters may stand in a body. */
const hasBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What a body holds and what the query says, the body last. */
const joined = (query: Parameters | undefined, body: Parameters, { body: whole }: Route): Parameters => {
  if (whole !== undefined) return Object.assign(query ?? noParameters(), { [whole]: body })
  return query ? Object.assign(query, body) : body
}

/** A 404 for a wrong address says in a header what may be meant. */
const hint = (path: string): string => {
  if (path.includes('/api/v4/api/')) return 'The path holds /api/v4 twice: give your client the address without it'
  if (!path.startsWith('/api/')) return 'The API is served below /api/v4; its description is at /api/v4/openapi.json'
  return 'No such route; all routes are listed in /api/v4/openapi.json'
}

const noHost: Host = { draining: () => false }

/** @param host the server around it, where there is one of ours */
export function createApp(platform: Platform, options: AppOptions = {}, host: Host = noHost): App {
  const site: Site = { url: (options.baseUrl ?? fallbackUrl).replace(/\/+$/, '') }
  const match = table()
  // Loaded when somebody asks: what describes the API is no part of serving it.
  const description = lazily(async () => JSON.stringify((await import('./openapi.ts')).openApi(routes, site)))

  const answer = async (
    ask: Ask,
    { route, input: readerOf, operation }: Served,
    path: Readonly<Record<string, string>>,
    query: string,
    protocol: Protocol,
  ) => {
    const input = readerOf()
    let sent = query === '' ? undefined : queryParameters(query)
    if (hasBody.has(ask.method)) {
      const bytes = await ask.body()
      const body = bodyParameters(bytes, ask.header('content-type'), protocol.jsonOnly, route.files)
      sent = joined(sent, body instanceof Promise ? await body : body, route)
    }
    sent ??= noParameters()
    const who = protocol.identityOf(ask, sent, options.identify)
    const given = input.read(path, sent)
    const seen = ask.seen ?? {}
    seen.route = route.path
    if (operation !== undefined) seen.operation = operation
    const at = ask.site === undefined ? site : { url: ask.site }
    const call = callOf(ask, at, options.rateLimits ?? true, witnessOf(seen))
    try {
      const out = await platform.as(who, call).run(route.operation, given)
      const reply = route.send(out, at)
      const status = created(route, reply, options)
      if (reply.page) return counted({ ...reply, status, headers: paged(ask, input, given, reply.page) }, seen)
      return counted(status === reply.status ? reply : { ...reply, status }, seen)
    } catch (error) {
      const missing = route.require.filter((name) => !Object.hasOwn(sent, name))
      const refused = protocol.refusal(error, input.wireName)
      if (!refused) throw error
      // The operation has another way to be told; this route has not, and says so.
      const body = refused.body as { error?: string } | undefined
      if (missing.length && refused.status === 400 && body?.error) {
        return badRequest(missing.map((name) => `${name} is missing`).join(', '))
      }
      return counted(refused, seen)
    }
  }

  const paged = (
    ask: Ask,
    input: InputReader,
    given: Readonly<Record<string, unknown>>,
    page: NonNullable<Reply['page']>,
  ) => {
    const path = ask.target.split('?', 1)[0] as string
    const base = ask.site ?? (options.baseUrl === undefined ? '' : site.url)
    const url = `${base}${path}`
    return pagingHeaders(page, url, input.pageQuery(given, page.perPage))
  }

  /** What a protocol that looks at the credential first has to say against it. */
  const turnedAway = async (admitted: Promise<unknown>, protocol: Protocol): Promise<Reply | undefined> => {
    try {
      await admitted
    } catch (error) {
      const refused = protocol.refusal(error, (field) => field)
      if (!refused) throw error
      return refused
    }
    return undefined
  }

  const described = async (): Promise<Reply> => ({
    status: 200,
    bytes: Buffer.from(await description()),
    headers: { 'Content-Type': 'application/json' },
  })

  const forOperators = async (ask: Ask, path: string): Promise<Reply | undefined> => {
    const reply = await operatorReply(platform, host, ask, path, options.metricsToken)
    if (reply && ask.seen) ask.seen.route = path
    return reply
  }

  /** What answers before the table of routes is looked at; for most requests nothing does, and nobody waits for it. */
  const early = (ask: Ask, path: string, protocol: Protocol): Promise<Reply | undefined> | Reply | undefined => {
    if (path === '/api/v4/openapi.json' && (ask.method === 'GET' || ask.method === 'HEAD')) return described()
    if (path.startsWith('/api/v3/') || path === '/api/v3') {
      return { status: 410, body: { error: 'API V3 is no longer supported. Use API V4 instead.' } }
    }
    if (path.startsWith('/-/')) return forOperators(ask, path)
    if (!protocol.admit || ask.method === 'OPTIONS') return undefined
    return turnedAway(protocol.admit(platform, ask.header), protocol)
  }

  const routed = (ask: Ask, path: string, query: string, protocol: Protocol): Promise<Reply> | Reply => {
    const found = match(ask.method, path)
    switch (found.kind) {
      case 'route':
        return answer(ask, found.route, found.path, query, protocol)
      case 'method':
        return ask.method === 'OPTIONS'
          ? { status: 204, headers: preflight(ask, found.allow) }
          : { ...protocol.methodRefused(ask.method), headers: { Allow: allowed(found.allow) } }
      case 'encoding':
        return protocol.early(badRequest('The path is not valid percent-encoded UTF-8'))
      case 'none':
        return protocol.early({ ...unknownRoute, headers: { 'X-Forgelet-Hint': hint(path) } })
    }
  }

  const app: App = async (ask) => {
    const at = ask.target.indexOf('?')
    const path = at < 0 ? ask.target : ask.target.slice(0, at)
    const protocol = protocolAt(path)
    try {
      const reply = early(ask, path, protocol)
      const query = at < 0 ? '' : ask.target.slice(at + 1)
      return conditional(ask, (reply && (await reply)) ?? (await routed(ask, path, query, protocol)), protocol)
    } catch (error) {
      return serialised(protocol.early(unreadable(error) ?? failed(ask, error, options.logger)), protocol)
    }
  }
  const pages = options.reference === false ? [] : [referencePage()]
  return below(
    site.url,
    [...pages, ...(options.layers ?? [])].reduceRight((next, layer) => layer(next), app),
  )
}

/** The same app where clients find it below a path, and the host or proxy before it leaves that path on. */
const below = (url: string, app: App): App => {
  const base = URL.parse(url)?.pathname.replace(/\/+$/, '') ?? ''
  if (base === '') return app
  return (ask) => app(ask.target.startsWith(`${base}/`) ? { ...ask, target: ask.target.slice(base.length) } : ask)
}

const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Worked out by the first app of a process: the table of routes is the same for all. */
const table = lazily(() =>
  router(
    routes.map((route): Served => {
      const { method, path, spans } = route
      // A start needs no reader of any route.
      const input = lazily(() => inputReader(route))
      return { method, path, spans, route, input, operation: operationName(route.operation) }
    }),
  ),
)

const counted = (reply: Reply, { limit }: Seen): Reply =>
  limit ? { ...reply, headers: { ...reply.headers, ...limitHeaders(limit) } } : reply

const created = ({ method, creates }: Route, { status }: Reply, { createdStatus }: AppOptions) =>
  method === 'POST' && creates && status === 200 ? (createdStatus ?? 200) : status

const preflight = (ask: Ask, methods: readonly Method[]): Record<string, string> => ({
  Allow: allowed(methods),
  ...(ask.header('origin') !== undefined && {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': allowed(methods),
    'Access-Control-Allow-Headers': ask.header('access-control-request-headers') ?? '*',
    'Access-Control-Expose-Headers': exposed,
    'Access-Control-Max-Age': '7200',
  }),
})

const unreadable = (error: unknown): Reply | undefined => {
  if (error instanceof UnreadableParameters) return badRequest(error.message)
  if (error instanceof UnsupportedContentType) return { status: 415, body: { error: error.message } }
  if (error instanceof BodyTooLarge) return tooLarge
  return undefined
}

/** A defect: the caller gets a bare 500, the log gets the cause under the same request id. */
const failed = (ask: Ask, error: unknown, logger: Logger | undefined): Reply => {
  logger?.error(
    { requestId: ask.requestId, method: ask.method, error: String((error as Error)?.stack ?? error) },
    'failed',
  )
  return crashed
}

const serialised = (reply: Reply, { mediaType }: Protocol): Reply => ({
  status: reply.status,
  bytes: Buffer.from(JSON.stringify(reply.body)),
  headers: { 'Content-Type': mediaType, ...reply.headers },
})

/** The client has these bytes already, by the name that the reply itself gives them. */
const isKnown = (ask: Ask, { status, headers }: Reply): boolean =>
  status === 200 && headers?.ETag !== undefined && ask.header('if-none-match') === headers.ETag

const unchanged = ({ bytes, headers }: Reply): Reply => {
  if (bytes instanceof Readable) bytes.destroy()
  const { 'Content-Length': _, ...others } = headers ?? {}
  return { status: 304, headers: others }
}

/** Serialises the body and answers 304 to a GET whose content the client has already. */
const conditional = (ask: Ask, reply: Reply, { mediaType }: Protocol): Reply => {
  const origin = ask.header('origin')
  const cors =
    origin === undefined ? undefined : { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }
  if (reply.body === undefined) {
    const whole = cors ? { ...reply, headers: { ...cors, ...reply.headers } } : reply
    return isKnown(ask, whole) ? unchanged(whole) : whole
  }
  const bytes = JSON.stringify(reply.body)
  const headers: Record<string, string> = cors ? { ...cors, ...reply.headers } : { ...reply.headers }
  headers['Content-Type'] ??= mediaType
  if (reply.status !== 200 || (ask.method !== 'GET' && ask.method !== 'HEAD'))
    return { status: reply.status, bytes, headers }
  const etag = `W/"${hash('sha1', bytes, 'base64url')}"`
  headers.ETag = etag
  headers['Cache-Control'] = 'max-age=0, private, must-revalidate'
  return ask.header('if-none-match') === etag ? { status: 304, headers } : { status: 200, bytes, headers }
}
