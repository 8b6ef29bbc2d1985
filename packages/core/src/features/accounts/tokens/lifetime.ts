import { type Context, today } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { addDays } from '../../../shared/add-days.ts'
import { getSettings } from '../../administration/settings/queries.ts'

/**
 * The first day on which a new token is invalid: the given one, or the last that the setting `maxPersonalAccessTokenLifetime` permits.
 * Tokens of the host have no limit.
 *
 * @throws PlatformError `invalid` for a later day
 */
export const limitLifetime = async (ctx: Context, expiresAt: string | null): Promise<string | null> => {
  const { maxPersonalAccessTokenLifetime: days } = await getSettings(ctx)
  if (days === null || ctx.tier === 'free' || ctx.actor.kind === 'system') return expiresAt
  const last = addDays(today(ctx), days)
  if (expiresAt !== null && expiresAt > last) throw invalid({ expiresAt: [`must be before ${addDays(last, 1)}`] })
  return expiresAt ?? last
}
