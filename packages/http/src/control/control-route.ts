import * as v from 'valibot'
import type { ControlledWorld, Snapshot } from './controlled-world.ts'
import type { EventStreams } from './event-streams.ts'

/** What the routes of the control plane work on. */
export interface Controlled {
  readonly world: ControlledWorld
  /** Snapshots that were taken over HTTP, by name. */
  readonly snapshots: Map<string, Snapshot>
  readonly streams: EventStreams
  /** The description of the control plane. */
  describe(): Promise<unknown>
}

/** A request as a route of the control plane sees it. */
export interface ControlCall<Input> {
  readonly input: Input
  /** The part of the path that the route leaves open. */
  readonly name: string
  /** Where a browser wants its stream of events to go on. */
  readonly lastEventId: number | undefined
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/_forgelet`; `:name` stands for one segment. */
  readonly path: string
  readonly says: string
  /** Parameters of a GET or DELETE, the body of others. Absent for those that take any object. */
  readonly input: v.GenericSchema | undefined
  /** What a good answer holds. */
  readonly gives: string
  run(controlled: Controlled, call: ControlCall<never>): Promise<unknown> | unknown
}

export const none = v.strictObject({})

/** One row: `control('POST /reset', 'Back to the first world', none, 'The state', run)`. */
export const control = <Schema extends v.GenericSchema>(
  line: `${ControlRoute['method']} ${string}`,
  says: string,
  input: Schema | undefined,
  gives: string,
  run: (controlled: Controlled, call: ControlCall<v.InferOutput<Schema>>) => Promise<unknown> | unknown,
): ControlRoute => {
  const [method, path] = line.split(' ') as [ControlRoute['method'], string]
  return { method, path, says, input, gives, run: run as ControlRoute['run'] }
}

/** Query parameters are texts: numbers among them are read here. */
export const numeric = v.optional(
  v.pipe(v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/))]), v.transform(Number)),
)
