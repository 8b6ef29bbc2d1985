import * as v from 'valibot'
import { Access, type Visibility } from '../access/levels.ts'
import type { Call } from '../kernel/call.ts'
import { isPlatformError } from '../kernel/errors.ts'
import type { Platform } from '../platform-interface.ts'
import type { Session } from '../session.ts'
import { parseInstant } from '../shared/instant.ts'

/** An item of the result of a seed. */
export interface CreatedItem {
  readonly id: number
  readonly [detail: string]: unknown
}

export type CreatedByName = Record<string, CreatedItem>

/**
 * What happens to items of a seed that exist already, by their names. `reject`: the seed fails. `keep`: they stay as they are.
 * `update`: users, groups, projects, members, labels, milestones and custom attributes get the fields of the seed. With `keep`
 * and `update`, missing items are added to existing projects and groups; those without a name, such as notes and pushes, only to
 * new ones.
 */
export type ExistingItems = 'reject' | 'keep' | 'update'

/** Creates the items of a seed in one transaction, or in several ones that follow each other. */
export interface Seeder {
  readonly existing: ExistingItems
  /** The visibility that a new group needs for its content in the seed; undefined if the seed names none. */
  neededVisibility(group: string): Visibility | undefined
  /** The session of the host. `instant` sets the clock, `call` the details of the request. */
  asHost(instant?: string | undefined, call?: Call): Session
  /** The session of a user. `instant` sets the clock. */
  asUser(user: number | string, instant?: string | undefined): Session
  /** Adds an item to the result: `record('projects', 'acme/web', { id: 7 })`. */
  record(section: string, name: string, created: CreatedItem): void
  /** Reports progress after each item. */
  reportItem(): void
  /** Ends a piece of work: what follows can belong to another transaction. Sessions from before must not be used any more. */
  endStep(): Promise<void>
}

/** How existing items are recognized. */
export interface ItemIdentity<Item, Parent> {
  nameOf(item: Item): string
  /** The names of the items that `parent` has already. */
  listNames(seeder: Seeder, parent: Parent, items: readonly Item[]): AsyncIterable<string>
  /** Updates an existing item; omitted if existing items always stay as they are. */
  update?(seeder: Seeder, item: Item, parent: Parent): Promise<unknown>
}

/** A list of items in a seed: their schema and the function that creates an item. */
export interface Section<Name extends string, Item extends v.GenericSchema, Parent> {
  readonly name: Name
  readonly schema: Item
  /** Undefined for items without a name, and for groups, projects and users, which recognize themselves. */
  readonly identity: ItemIdentity<v.InferOutput<Item>, Parent> | undefined
  seed(seeder: Seeder, item: v.InferOutput<Item>, parent: Parent): Promise<void>
}

export const defineSection = <Name extends string, Item extends v.GenericSchema, Parent = undefined>(
  name: Name,
  schema: Item,
  seed: (seeder: Seeder, item: v.InferOutput<Item>, parent: Parent) => Promise<void>,
  identity?: ItemIdentity<v.InferOutput<Item>, Parent>,
): Section<Name, Item, Parent> => ({ name, schema, seed, identity })

/**
 * Gets an item that exists, and updates it if the seed may; or creates it.
 *
 * @param get fails with `not_found` for a missing item
 */
export const getOrCreate = async <T>(
  { existing }: Seeder,
  get: () => Promise<T>,
  create: () => Promise<T>,
  update: (item: T) => Promise<unknown>,
): Promise<{ readonly item: T; readonly isNew: boolean }> => {
  if (existing !== 'reject') {
    try {
      const item = await get()
      if (existing === 'update') await update(item)
      return { item, isNew: false }
    } catch (error) {
      if (!isPlatformError(error) || error.code !== 'not_found') throw error
    }
  }
  return { item: await create(), isNew: true }
}

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

/** Time of the creation: ISO 8601 with an offset, such as `2026-01-31T12:00:00Z`. Default: the current time. */
export const Timestamp = v.optional(v.pipe(v.string(), v.isoTimestamp()))

interface SeederOptions extends Pick<Seeder, 'existing' | 'neededVisibility'> {
  readonly onProgress: () => void
  readonly endStep?: () => Promise<void>
}

/** `getPlatform`: the platform of the open transaction, with a fixed clock for a time in milliseconds. */
export const createSeeder = (
  getPlatform: (now?: number) => Platform,
  created: Record<string, CreatedByName>,
  { existing, neededVisibility, onProgress, endStep = async () => undefined }: SeederOptions,
): Seeder => {
  const platformAt = (instant: string | undefined) =>
    getPlatform(instant === undefined ? undefined : parseInstant(instant))
  return {
    existing,
    neededVisibility,
    reportItem: onProgress,
    endStep,
    asHost: (instant, call) => platformAt(instant).as({ system: 'seed' }, call),
    asUser: (user, instant) => platformAt(instant).as({ user }),
    record(section, name, item) {
      created[section] ??= {}
      created[section][name] = item
    },
  }
}
