import { Readable } from 'node:stream'
import { isPlatformError } from '@forgelet/core'
import * as v from 'valibot'
import type { Ask, Layer } from '../app.ts'
import { refusal } from '../refusal.ts'
import type { Reply } from '../reply.ts'
import { type Controlled, type ControlRoute, numeric } from './control-route.ts'
import { controlRoutes } from './control-routes.ts'
import type { ControlledWorld } from './controlled-world.ts'
import { eventStreams } from './event-streams.ts'
import { turnedAway } from './guard.ts'
import { livePage } from './live-page.ts'
import { NothingCame } from './waiting.ts'

/** Where the control plane is. */
export const controlPrefix = '/_forgelet'

/** Who may use the control plane, and where it is. */
export interface ControlPlaneOptions {
  /** Whoever shows it may come from anywhere; without one the control plane is for this machine only. */
  readonly token?: string | undefined
  /** Where clients find this server, for its description. */
  readonly baseUrl?: () => string
}

/** The control plane of one world, to be put around its app. */
export interface ControlPlane {
  /** Answers below `/_forgelet`. Outermost, so that no fault hits it and no journal tells of it. */
  readonly layer: Layer
  /** Ends what it holds open; before the server closes. */
  close(): void
}

class Unreadable extends Error {}

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length && pattern.every((part, at) => part.startsWith(':') || part === segments[at])

const table = controlRoutes.map((route) => ({ route, pattern: segmentsOf(route.path) }))

const bodyOf = async (ask: Ask): Promise<unknown> => {
  const text = Buffer.from(await ask.body()).toString()
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('The body is not valid JSON')
  }
}

const inputOf = async ({ method, input }: ControlRoute, ask: Ask, query: string): Promise<unknown> => {
  const parameters = Object.fromEntries(new URLSearchParams(query))
  delete parameters.control_token
  const given = method === 'GET' ? parameters : await bodyOf(ask)
  if (!input) return given
  const parsed = v.safeParse(input, given)
  if (parsed.success) return parsed.output
  const complaints = parsed.issues.map((issue) => {
    const path = issue.path?.map(({ key }) => String(key)).join('.')
    return issue.type === 'strict_object' && issue.expected === 'never'
      ? `${path}: is not known here`
      : `${path ?? 'body'}: ${issue.message}`
  })
  throw new Unreadable(complaints.join(', '))
}

const nameIn = (pattern: readonly string[], segments: readonly string[]) => {
  const at = pattern.findIndex((part) => part.startsWith(':'))
  if (at < 0) return ''
  try {
    return decodeURIComponent(segments[at] as string)
  } catch {
    throw new Unreadable('The path is not valid percent-encoded UTF-8')
  }
}

const json = (status: number, body: unknown): Reply => ({
  status,
  bytes: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
})

const answer = (out: unknown, { method }: ControlRoute): Reply => {
  if (out instanceof Readable) {
    // Its connection ends with it: kept alive, it would hold up the end of the server.
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', Connection: 'close' }
    return { status: 200, bytes: out, headers }
  }
  return out === undefined || method === 'DELETE' ? { status: 204 } : json(200, out)
}

const refusedWith = (error: unknown): Reply | undefined => {
  if (error instanceof Unreadable) return json(400, { error: error.message })
  if (error instanceof NothingCame) return json(404, { message: error.message })
  if (!isPlatformError(error)) return undefined
  // Malformed seeds and faults name every complaint with its path: their own words say more than the fields.
  const { status } = refusal(error, (name) => name) as Reply
  return json(status, status === 400 ? { error: error.message } : { message: error.message })
}

/** The control plane of a world, over any app of it. */
export function controlPlane(world: ControlledWorld, options: ControlPlaneOptions = {}): ControlPlane {
  const streams = eventStreams(world.journal)
  const controlled: Controlled = {
    world,
    snapshots: new Map(),
    streams,
    // Loaded when somebody asks, like the description of the API.
    describe: async () =>
      (await import('./control-description.ts')).controlDescription(
        controlRoutes,
        options.baseUrl?.() ?? 'http://localhost',
      ),
  }

  const handle = async (ask: Ask, path: string, query: string): Promise<Reply> => {
    const refused = turnedAway(ask, options.token)
    // Where there is a token, it is the page that asks a person for it.
    const page = refused && options.token === undefined ? undefined : await livePage(ask, path)
    if (page) return page
    if (refused) return json(refused.status, refused.body)
    const segments = segmentsOf(path.slice(controlPrefix.length))
    const here = table.filter(({ pattern }) => fits(pattern, segments))
    const method = ask.method === 'HEAD' ? 'GET' : ask.method
    const found = here.find(({ route }) => route.method === method)
    if (!found) {
      const allow = here.map(({ route }) => route.method).join(', ')
      return here.length
        ? { ...json(405, { error: '405 Not Allowed' }), headers: { Allow: allow, 'Content-Type': 'application/json' } }
        : json(404, { error: `404 Not Found: all addresses of the control plane are in ${controlPrefix}/openapi.json` })
    }
    const { route, pattern } = found
    const lastEventId = v.safeParse(numeric, ask.header('last-event-id'))
    const call = {
      input: (await inputOf(route, ask, query)) as never,
      name: nameIn(pattern, segments),
      lastEventId: lastEventId.success ? lastEventId.output : undefined,
    }
    const out = await route.run(controlled, call)
    if (route.method !== 'GET') streams.changed(`${route.method} ${path}`)
    return answer(out, route)
  }

  return {
    layer: (next) => async (ask) => {
      const cut = ask.target.indexOf('?')
      const path = cut < 0 ? ask.target : ask.target.slice(0, cut)
      if (path !== controlPrefix && !path.startsWith(`${controlPrefix}/`)) return next(ask)
      try {
        return await handle(ask, path, cut < 0 ? '' : ask.target.slice(cut + 1))
      } catch (error) {
        const reply = refusedWith(error)
        if (!reply) throw error
        return reply
      }
    },
    close: () => streams.close(),
  }
}
