import { defined } from '@forgelet/core/operations'
import { type JsonObject, toList, toObject } from './json-fields.ts'
import type { RecordedGroup, RecordedProject, RecordedWorld } from './recorded-world.ts'

/** A successful response to GET with a path that matches a route. */
export interface RecordedResponse {
  /** The JSON value; undefined for other content. */
  readonly body: unknown
  /** The content as text; undefined for JSON that the recorder has parsed. */
  readonly text: string | undefined
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
}

/** Reads one kind of response. Returns the reason if it contains nothing for a seed. */
export type ReadResponse = (world: RecordedWorld, response: RecordedResponse) => string | undefined

export interface RecordingRoute {
  /** Segments of the path; parameters begin with a colon. */
  readonly segments: readonly string[]
  readonly read: ReadResponse
}

export const recordingRoute = (path: string, read: ReadResponse): RecordingRoute => ({
  segments: path.slice(1).split('/'),
  read,
})

/** Matches decoded segments. */
export const matchRoute = (
  { segments }: RecordingRoute,
  path: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  if (segments.length !== path.length) return undefined
  const isMatch = segments.every((segment, index) => segment.startsWith(':') || segment === path[index])
  if (!isMatch) return undefined
  return Object.fromEntries(
    segments.flatMap((segment, index) =>
      segment.startsWith(':') ? [[segment.slice(1), defined(path[index])] as const] : [],
    ),
  )
}

/** The objects of a list, or the object itself. */
export const listObjects = (body: unknown): readonly JsonObject[] =>
  (Array.isArray(body) ? toList(body) : [body]).map(toObject).filter((object) => object !== undefined)

const resolve = <T>(
  id: string,
  paths: ReadonlyMap<number, string>,
  add: (path: string) => T | undefined,
): T | undefined => {
  const path = /^\d+$/.test(id) ? paths.get(Number(id)) : id
  return path === undefined ? undefined : add(path)
}

type ReadIn<C> = (container: C, response: RecordedResponse, world: RecordedWorld) => string | undefined

/** A route below `/projects/:id`. The project is named by its path, or by an id; another response contains its path. */
export const projectRoute = (path: string, read: ReadIn<RecordedProject>): RecordingRoute =>
  recordingRoute(`/projects/:id${path}`, (world, response) => {
    const id = defined(response.params.id)
    const project = resolve(id, world.projectPaths, world.addProject)
    return project ? read(project, response, world) : `no response contains the path of project ${id}`
  })

/** A route below `/groups/:id`. */
export const groupRoute = (path: string, read: ReadIn<RecordedGroup>): RecordingRoute =>
  recordingRoute(`/groups/:id${path}`, (world, response) => {
    const id = defined(response.params.id)
    const group = resolve(id, world.groupPaths, world.addGroup)
    return group ? read(group, response, world) : `no response contains the path of group ${id}`
  })
