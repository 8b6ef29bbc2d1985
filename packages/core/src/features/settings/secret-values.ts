import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { isSecretSetting, type SecretSettingName, type Settings, settingNames } from './definition.ts'

const secretSettingNames = settingNames.filter(isSecretSetting)

const secretContext = (name: SecretSettingName) => `application_setting.${name}`

/**
 * The decrypted value of a secret setting, null when it is not set. It must never be part of a response.
 *
 * @throws PlatformError `unavailable` when the key that encrypted it is missing
 */
export async function readSecretSetting(ctx: Context, name: SecretSettingName): Promise<string | null> {
  const row = await ctx.db.selectFrom('applicationSecret').where('name', '=', name).select('sealed').executeTakeFirst()
  return row ? ctx.ports.secrets.open(row.sealed, secretContext(name)) : null
}

/** Replaces a secret; null or a blank text removes it. */
export async function storeSecret(ctx: Context, name: SecretSettingName, value: string | null): Promise<void> {
  await ctx.db.deleteFrom('applicationSecret').where('name', '=', name).execute()
  if (value === null || value.trim() === '') return
  const sealed = ctx.ports.secrets.seal(value, secretContext(name))
  await ctx.db
    .insertInto('applicationSecret')
    .values({ name, sealed, updatedAt: ctx.now } satisfies CompleteRow<'applicationSecret'>)
    .execute()
}

/** Adds the decrypted secrets to the settings. Each is decrypted on access, so a lost key affects only its readers. */
export async function withSecrets(ctx: Context, values: Settings): Promise<Settings> {
  const rows = await ctx.db.selectFrom('applicationSecret').select(['name', 'sealed']).execute()
  const complete = { ...values }
  for (const { name, sealed } of rows) {
    const settingName = secretSettingNames.find((secret) => secret === name)
    if (!settingName) continue
    const get = () => ctx.ports.secrets.open(sealed, secretContext(settingName))
    Object.defineProperty(complete, settingName, { get, enumerable: true, configurable: true })
  }
  return complete
}
