import { assertOptions, optionNames } from '@forgelet/core/operations'
import type { Seed } from '@forgelet/core/seed'
import { containerRoutes } from './container-routes.ts'
import { createSeed, type ImportRecordingOptions } from './create-seed.ts'
import { parseBody, type RecordedExchange, readRecording } from './formats.ts'
import { groupRoutes } from './group-routes.ts'
import { issuableRoutes } from './issuable-routes.ts'
import { readId, readObject, readText } from './json-fields.ts'
import { projectRoutes } from './project-routes.ts'
import { publicationRoutes } from './publication-routes.ts'
import { createRecordedWorld, type RecordedWorld } from './recorded-world.ts'
import { listObjects, matchRoute, type RecordedResponse, type RecordingRoute } from './recording-route.ts'
import { refRoutes, repositoryRoutes } from './repository-routes.ts'
import type { Skip } from './skip.ts'
import { userRoutes } from './user-routes.ts'

/** The path of a project in a reference such as `acme/web#7` or `acme/web!7`. */
const toProjectPath = (reference: string | undefined) => /^(.+)[#!]\d+$/.exec(reference ?? '')?.[1]

/** Stores the paths of projects and groups by id, because requests can name both by id. */
const learnPaths = (world: RecordedWorld, body: unknown): void => {
  for (const object of listObjects(body)) {
    const id = readId(object, 'id')
    const path = readText(object, 'path_with_namespace')
    if (id !== undefined && path !== undefined) world.projectPaths.set(id, path)
    const fullPath = readText(object, 'full_path')
    if (id !== undefined && fullPath !== undefined && readText(object, 'kind') !== 'user')
      world.groupPaths.set(id, fullPath)
    const namespace = readObject(object, 'namespace')
    if (namespace) learnPaths(world, namespace)
    const projectId = readId(object, 'project_id')
    const references = readObject(object, 'references')
    const projectPath = references && toProjectPath(readText(references, 'full'))
    if (projectId !== undefined && projectPath !== undefined) world.projectPaths.set(projectId, projectPath)
  }
}

/** A request, or an object of the recorded world, that the seed does not contain. */
export interface SkippedItem {
  /** `GET /projects/acme%2Fweb/pipelines`, or `acme/web!7`. */
  readonly item: string
  readonly reason: string
}

/** The data of a recording as a seed. */
export interface ImportedRecording {
  readonly seed: Seed
  /** What the seed does not contain, in the order of the recording. */
  readonly skipped: readonly SkippedItem[]
}

/** Read in this order: later routes need the names and paths of earlier ones. */
const phases: readonly (readonly RecordingRoute[])[] = [
  [...groupRoutes, ...projectRoutes, ...userRoutes, ...refRoutes],
  [...containerRoutes, ...issuableRoutes, ...publicationRoutes, ...repositoryRoutes],
]

interface Request {
  readonly exchange: RecordedExchange
  /** The JSON value; undefined for other content. */
  readonly body: unknown
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

const prefix = '/api/v4/'

/** The request, or the reason why it cannot be imported. */
const readRequest = (exchange: RecordedExchange): Request | string => {
  if (!URL.canParse(exchange.url)) return 'the URL is invalid'
  const { pathname, searchParams } = new URL(exchange.url)
  const start = pathname.indexOf(prefix)
  if (start < 0) return `the path does not contain ${prefix}`
  if (exchange.method !== 'GET') return 'only responses to GET are imported'
  if (exchange.status !== 200) return `the status is ${exchange.status}`
  if (exchange.body === undefined) return 'the body is absent, binary or compressed'
  const encoded = pathname.slice(start + prefix.length).replace(/\/$/, '')
  try {
    const path = encoded.split('/').map(decodeURIComponent)
    return { exchange, body: parseBody(exchange.body), path, query: searchParams }
  } catch {
    return 'the URL is invalid'
  }
}

const findRoute = (routes: readonly RecordingRoute[], path: readonly string[]) => {
  for (const route of routes) {
    const params = matchRoute(route, path)
    if (params) return { route, params }
  }
  return undefined
}

const toResponse = ({ exchange, body, query }: Request, params: RecordedResponse['params']): RecordedResponse => ({
  body,
  text: typeof exchange.body === 'string' ? exchange.body : undefined,
  query,
  params,
})

const maxNameLength = 200

/** The method and path of a request without the query, which can contain credentials. */
const nameOf = ({ method, url }: RecordedExchange): string => {
  const path = URL.canParse(url) ? new URL(url).pathname.replace('/api/v4', '') : url.replace(/[?#].*$/s, '')
  return `${method} ${path}`.slice(0, maxNameLength)
}

const readPhase = (
  world: RecordedWorld,
  requests: readonly Request[],
  routes: readonly RecordingRoute[],
  skip: Skip,
) => {
  for (const request of requests) {
    const found = findRoute(routes, request.path)
    const reason = found?.route.read(world, toResponse(request, found.params))
    if (reason !== undefined) skip(nameOf(request.exchange), reason)
  }
}

const recordingOptions = optionNames<ImportRecordingOptions>({ tokens: true, visibility: true })

/**
 * Converts recorded responses of the API to seed data: users, groups, projects, members, labels, milestones, issues, merge
 * requests, notes, releases, snippets and files. Headers of the recording are not read. Groups and projects without a recorded
 * visibility have none in the seed.
 *
 * @param recording a HAR 1.2 file, a recording of nock or Polly.js, a cassette of VCR in JSON, or a list (or JSON lines) of
 *   `{ method, url, status, body }`; as text or as an object
 * @throws RecordingError if the format is not supported or a limit is exceeded
 */
export function importRecording(recording: string | object, options: ImportRecordingOptions = {}): ImportedRecording {
  assertOptions('importRecording', options, recordingOptions)
  const world = createRecordedWorld()
  const skipped = new Map<string, SkippedItem>()
  const skip: Skip = (item, reason) => void skipped.set(`${item}\n${reason}`, { item, reason })
  const requests = readRecording(recording).flatMap((exchange, index) => {
    const request = exchange ? readRequest(exchange) : 'the method or the URL is missing'
    if (typeof request !== 'string') return [request]
    skip(exchange ? nameOf(exchange) : `entry ${index + 1}`, request)
    return []
  })
  for (const { body } of requests) learnPaths(world, body)
  for (const routes of phases) readPhase(world, requests, routes, skip)
  for (const { exchange, path } of requests) {
    const isKnown = phases.some((routes) => findRoute(routes, path))
    if (!isKnown) skip(nameOf(exchange), 'seed data has no such content')
  }
  return { seed: createSeed(world, skip, options), skipped: [...skipped.values()] }
}
