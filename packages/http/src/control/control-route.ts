import * as v from 'valibot'
import type { ControlledWorld, Snapshot } from './controlled-world.ts'
import type { EventStreams } from './event-streams.ts'

/** The state that routes of the control plane use. */
export interface ControlContext {
  readonly world: ControlledWorld
  /** Snapshots taken over HTTP, by name. */
  readonly snapshots: Map<string, Snapshot>
  readonly streams: EventStreams
  /** The URL under which clients reach this server. */
  getBaseUrl(): string
  /** The OpenAPI document of the control plane. */
  describe(): Promise<unknown>
}

/** A parsed request to a route of the control plane. */
export interface ControlCall<Input> {
  readonly input: Input
  /** The path parameter; empty if the route has none. */
  readonly name: string
  /** The header `Last-Event-ID`, from which a browser resumes its event stream. */
  readonly lastEventId: number | undefined
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/_forgelet`; `:name` matches one segment. */
  readonly path: string
  readonly description: string
  /** The query of a GET, the body of other methods. Undefined accepts any object. */
  readonly input: v.GenericSchema | undefined
  /** Description of the successful reply, or a content type. */
  readonly result: string
  run(context: ControlContext, call: ControlCall<never>): Promise<unknown> | unknown
}

export const noInput = v.strictObject({})

/** Defines a route: `controlRoute('POST /reset', 'Restores the initial world', noInput, 'The clock', run)`. */
export const controlRoute = <Schema extends v.GenericSchema>(
  line: `${ControlRoute['method']} ${string}`,
  description: string,
  input: Schema | undefined,
  result: string,
  run: (context: ControlContext, call: ControlCall<v.InferOutput<Schema>>) => Promise<unknown> | unknown,
): ControlRoute => {
  const [method, path] = line.split(' ') as [ControlRoute['method'], string]
  return { method, path, description, input, result, run: run }
}

/** A number, also as text in a query. */
export const numericParameter = v.optional(
  v.pipe(
    v.union([v.pipe(v.number(), v.safeInteger(), v.minValue(0)), v.pipe(v.string(), v.regex(/^\d{1,15}$/))]),
    v.transform(Number),
  ),
)
