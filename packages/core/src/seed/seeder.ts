import * as v from 'valibot'
import { Access } from '../access/levels.ts'
import type { Call } from '../kernel/call.ts'
import type { Platform, Session } from '../platform.ts'
import { parseInstant } from '../shared/instant.ts'

/** An item of the result of a seed. */
export interface CreatedItem {
  readonly id: number
  readonly [detail: string]: unknown
}

export type CreatedByName = Record<string, CreatedItem>

/** Creates the items of a seed in one transaction. */
export interface Seeder {
  /** The session of the host. `instant` sets the clock, `call` the details of the request. */
  asHost(instant?: string | undefined, call?: Call): Session
  /** The session of a user. `instant` sets the clock. */
  asUser(user: number | string, instant?: string | undefined): Session
  /** Adds an item to the result: `record('projects', 'acme/web', { id: 7 })`. */
  record(section: string, name: string, created: CreatedItem): void
  /** Reports progress after each item. */
  reportItem(): void
}

/** A list of items in a seed: their schema and the function that creates an item. */
export interface Section<Name extends string, Item extends v.GenericSchema, Parent> {
  readonly name: Name
  readonly schema: Item
  seed(seeder: Seeder, item: v.InferOutput<Item>, parent: Parent): Promise<void>
}

export const defineSection = <Name extends string, Item extends v.GenericSchema, Parent = undefined>(
  name: Name,
  schema: Item,
  seed: (seeder: Seeder, item: v.InferOutput<Item>, parent: Parent) => Promise<void>,
): Section<Name, Item, Parent> => ({ name, schema, seed })

/** A role or its number, such as `developer` or 30. */
export const AccessLevel = v.union([
  v.pipe(
    v.picklist(['guest', 'reporter', 'developer', 'maintainer', 'owner']),
    v.transform((name) => Access[name]),
  ),
  v.picklist([10, 20, 30, 40, 50]),
])

/** A custom attribute of a user, a group or a project (administrators only). */
export const CustomAttribute = v.strictObject({ key: v.string(), value: v.string() })

/** Settings by name; validated by the operation. */
export const Settings = v.optional(v.record(v.string(), v.unknown()))

/** The time of an operation. Default: the current time. */
export const Timestamp = v.optional(v.pipe(v.string(), v.isoTimestamp()))

/** All calls of `platform` and of the platforms from `withClock` must belong to one transaction. */
export const createSeeder = (
  platform: Platform,
  withClock: (now: number) => Platform,
  created: Record<string, CreatedByName>,
  onProgress: () => void,
): Seeder => {
  const platformAt = (instant: string | undefined) =>
    instant === undefined ? platform : withClock(parseInstant(instant))
  return {
    reportItem: onProgress,
    asHost: (instant, call) => platformAt(instant).as({ system: 'seed' }, call),
    asUser: (user, instant) => platformAt(instant).as({ user }),
    record(section, name, item) {
      created[section] ??= {}
      created[section][name] = item
    },
  }
}
