import * as v from 'valibot'
import { Access } from '../access/levels.ts'
import type { Platform, Session } from '../platform.ts'

/** What a seed made, under the names the seed gives it. */
export interface Created {
  readonly id: number
  readonly [detail: string]: unknown
}

export type CreatedByName = Record<string, Created>

/** A world under construction. Everything in it is one transaction. */
export interface Planting {
  /** The host's own session, with the clock at `instant` when one is given. */
  at(instant?: string | undefined): Session
  /** Acts as a user, with the clock at `instant` when one is given. */
  as(user: number | string, instant?: string | undefined): Session
  /** Remembers what was made: `note('projects', 'acme/web', { id: 7 })`. */
  note(section: string, name: string, created: Created): void
  /** One more thing stands. */
  planted(): void
}

/** A section of a seed: what may stand there and how it comes into being. `On` is what holds the section's things. */
export interface Section<Name extends string, Item extends v.GenericSchema, On> {
  readonly name: Name
  readonly item: Item
  plant(planting: Planting, item: v.InferOutput<Item>, on: On): Promise<void>
}

export const section = <Name extends string, Item extends v.GenericSchema, On = undefined>(
  name: Name,
  item: Item,
  plant: (planting: Planting, item: v.InferOutput<Item>, on: On) => Promise<void>,
): Section<Name, Item, On> => ({ name, item, plant })

/** `developer` or 30. */
export const Level = v.union([
  v.pipe(
    v.picklist(['guest', 'reporter', 'developer', 'maintainer', 'owner']),
    v.transform((name) => Access[name]),
  ),
  v.picklist([10, 20, 30, 40, 50]),
])

/** A word that administrators keep about a user, a group or a project. */
export const CustomAttribute = v.strictObject({ key: v.string(), value: v.string() })

/** Settings by name, for an operation that knows which there are. */
export const Settings = v.optional(v.record(v.string(), v.unknown()))

/** An instant that a thing is to have been created at. */
export const At = v.optional(v.pipe(v.string(), v.isoTimestamp()))

/** A planting over a platform whose calls all join one transaction. */
export const plantingOver = (
  platform: Platform,
  withClock: (now: number) => Platform,
  created: Record<string, CreatedByName>,
  planted: () => void,
): Planting => {
  const then = (instant: string | undefined) => (instant === undefined ? platform : withClock(Date.parse(instant)))
  return {
    planted,
    at: (instant) => then(instant).as({ system: 'seed' }),
    as: (user, instant) => then(instant).as({ user }),
    note(name, key, thing) {
      created[name] ??= {}
      created[name][key] = thing
    },
  }
}
