import type { Context } from '../../kernel/context.ts'
import { isSecret, type SecretSettingName, type Settings, settingNames } from './definition.ts'

const secretSettings = settingNames.filter(isSecret)

const contextOf = (name: SecretSettingName) => `application_setting.${name}`

/**
 * The value of a secret setting in clear, null where nobody has set it. For what uses the secret, never for an answer.
 *
 * @throws PlatformError `unavailable` when it was sealed under a key that is not here
 */
export async function secretSetting(ctx: Context, name: SecretSettingName): Promise<string | null> {
  const row = await ctx.db.selectFrom('applicationSecret').where('name', '=', name).select('sealed').executeTakeFirst()
  return row ? ctx.ports.secrets.open(row.sealed, contextOf(name)) : null
}

/** Puts a secret in place of the one before; null or nothing but blanks takes it away. */
export async function storeSecret(ctx: Context, name: SecretSettingName, value: string | null): Promise<void> {
  await ctx.db.deleteFrom('applicationSecret').where('name', '=', name).execute()
  if (value === null || value.trim() === '') return
  const sealed = ctx.ports.secrets.seal(value, contextOf(name))
  await ctx.db.insertInto('applicationSecret').values({ name, sealed, updatedAt: ctx.now }).execute()
}

/** The settings together with the secret ones in clear. Each of those is opened only when somebody reads it. */
export async function withSecrets(ctx: Context, values: Settings): Promise<Settings> {
  const rows = await ctx.db.selectFrom('applicationSecret').select(['name', 'sealed']).execute()
  const complete = { ...values }
  for (const { name, sealed } of rows) {
    const known = secretSettings.find((secret) => secret === name)
    if (!known) continue
    const get = () => ctx.ports.secrets.open(sealed, contextOf(known))
    Object.defineProperty(complete, known, { get, enumerable: true, configurable: true })
  }
  return complete
}
