import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Remembered } from '../../kernel/memory.ts'
import type { Handle, Soon } from '../../kernel/store.ts'
import {
  defaultSettings,
  type SettingName,
  type Settings,
  settingDefinition,
  settingDefinitions,
} from './definition.ts'

const isSetting = (name: string): name is SettingName => Object.hasOwn(settingDefinitions, name)

/** When the first migration ran, which is when there began to be settings. */
const beginning = async ({ db }: Handle): Promise<string> => {
  const { first } = await db
    .selectFrom('forgeletMigration')
    .select((eb) => eb.fn.min('appliedAt').as('first'))
    .executeTakeFirstOrThrow()
  return first ?? new Date(0).toISOString()
}

const storedValue = (name: SettingName, json: string): unknown => {
  const value: unknown = JSON.parse(json)
  // A value that an older version took and this one would not counts as not set.
  return v.is(settingDefinition(name).schema, value) ? value : settingDefinition(name).default
}

/** Reads them all, the secret ones as null; what is asked for again and again goes through `settingsInForce`. */
export const storedSettings: Remembered<Settings> = {
  async read(handle) {
    const createdAt = await beginning(handle)
    const rows = await handle.db.selectFrom('applicationSetting').selectAll().execute()
    const secrets = await handle.db.selectFrom('applicationSecret').select(['name', 'updatedAt']).execute()
    const values: Record<string, unknown> = { ...defaultSettings(), createdAt }
    for (const { name, value } of rows) if (isSetting(name)) values[name] = storedValue(name, value)
    const changes = [...rows, ...secrets].map(({ updatedAt }) => updatedAt)
    values.updatedAt = [createdAt, ...changes].toSorted().at(-1)
    return Object.freeze(values) as unknown as Settings
  },
}

/**
 * The settings that hold at present, the secret ones as null. Costs no query as long as nothing changes: a change made
 * here holds from its commit on, one made by another process on PostgreSQL within a second.
 */
export const settingsInForce = (ctx: Context): Soon<Settings> => ctx.recall(storedSettings)
