import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { sealChanged } from '../../../ports/secrets.ts'
import { isSecretSetting, type SecretSettingName, type Settings, settingNames } from './definition.ts'

const secretSettingNames = settingNames.filter(isSecretSetting)

const secretContext = (name: SecretSettingName) => `application_setting.${name}`

/**
 * The decrypted value of a secret setting, null when it is not set. It must never be part of a response.
 *
 * @throws PlatformError `unavailable` when the key that encrypted it is missing
 */
export async function readSecretSetting(ctx: Context, name: SecretSettingName): Promise<string | null> {
  const sealed = await findSealed(ctx, name)
  return sealed === null ? null : ctx.ports.secrets.open(sealed, secretContext(name))
}

const findSealed = async ({ db }: Context, name: SecretSettingName): Promise<string | null> =>
  (await db.selectFrom('applicationSecret').where('name', '=', name).select('sealed').executeTakeFirst())?.sealed ??
  null

/** Replaces a secret; null or a blank text removes it. */
export async function storeSecret(ctx: Context, name: SecretSettingName, value: string | null): Promise<void> {
  const stored = await findSealed(ctx, name)
  const isRemoved = value === null || value.trim() === ''
  const sealed = isRemoved ? null : sealChanged(ctx.ports.secrets, stored, value, secretContext(name))
  if (sealed === stored) return
  await ctx.db.deleteFrom('applicationSecret').where('name', '=', name).execute()
  if (sealed === null) return
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
