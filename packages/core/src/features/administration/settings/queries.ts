import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { cachedQuery } from '../../../kernel/prepared-query.ts'
import { chain, type Handle, type MaybePromise } from '../../../kernel/store.ts'
import {
  defaultSettings,
  type SettingName,
  type Settings,
  settingDefinition,
  settingDefinitions,
} from './definition.ts'

const isSetting = (name: string): name is SettingName => Object.hasOwn(settingDefinitions, name)

interface SettingRow {
  readonly source: 'setting' | 'secret' | 'migration'
  readonly name: string
  /** JSON; null for secrets and migrations. */
  readonly value: string | null
  readonly updatedAt: string
}

/** Everything that settings are read from, in one query. The first migration created the settings. */
export const settingRows = cachedQuery((db, _: object) =>
  db
    .selectFrom('applicationSetting')
    .select(({ val, ref }) => [
      val<SettingRow['source']>('setting').as('source'),
      'name',
      ref('value').$castTo<string | null>().as('value'),
      'updatedAt',
    ])
    .unionAll(
      db
        .selectFrom('applicationSecret')
        .select(({ val }) => [
          val<SettingRow['source']>('secret').as('source'),
          'name',
          val<string | null>(null).as('value'),
          'updatedAt',
        ]),
    )
    .unionAll(
      db
        .selectFrom('forgeletMigration')
        .select(({ val }) => [
          val<SettingRow['source']>('migration').as('source'),
          'name',
          val<string | null>(null).as('value'),
          'appliedAt as updatedAt',
        ]),
    ),
)

const parseStoredValue = (name: SettingName, json: string): unknown => {
  const value: unknown = JSON.parse(json)
  // A value that an older version accepted and the current schema rejects counts as not set.
  return v.is(settingDefinition(name).schema, value) ? value : settingDefinition(name).default
}

const toSettings = (rows: readonly SettingRow[]): Settings => {
  const createdAt = rows.reduce(
    (first, { source, updatedAt }) => (source === 'migration' && updatedAt < first ? updatedAt : first),
    '9999',
  )
  const changes = rows.filter(({ source }) => source !== 'migration').map(({ updatedAt }) => updatedAt)
  const values: Record<string, unknown> = { ...defaultSettings(), createdAt }
  for (const { name, value } of rows) {
    if (value !== null && isSetting(name)) values[name] = parseStoredValue(name, value)
  }
  values.updatedAt = [createdAt, ...changes].toSorted().at(-1)
  return Object.freeze(values) as unknown as Settings
}

/** Parsed settings by their rows, which are the same array as long as they are cached. */
const parsedSettings = new WeakMap<readonly SettingRow[], Settings>()

/**
 * The current settings, secrets as null. Their rows are cached until a setting changes. A change takes effect with its
 * commit; on PostgreSQL, a change by another process takes effect within one second.
 */
export const getSettings = (ctx: Handle): MaybePromise<Settings> =>
  chain(settingRows(ctx, {}), (rows) => {
    const settings = parsedSettings.get(rows) ?? toSettings(rows)
    parsedSettings.set(rows, settings)
    return settings
  })

/** Whether a setting has been set, and does not have its default only because nobody has changed it. */
export const isSettingSet = (ctx: Context, setting: SettingName): MaybePromise<boolean> =>
  chain(settingRows(ctx, {}), (rows) => rows.some(({ name }) => name === setting))
