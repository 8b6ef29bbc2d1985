import { getLessVisible, isMoreVisible, type Visibility, visibilities } from '../../../access/levels.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { getSettings } from './queries.ts'

/** @throws PlatformError `invalid` for a visibility that only administrators can choose */
export const assertUnrestricted = async (ctx: Context, visibility: Visibility | undefined): Promise<void> => {
  if (visibility === undefined || isAdministrator(ctx.actor)) return
  const { restrictedVisibilityLevels: restricted } = await getSettings(ctx)
  if (restricted.includes(visibility))
    throw invalid({ visibility: [`${visibility} has been restricted by your GitLab administrator`] })
}

/**
 * The visibility of a new object: the requested one, or the most visible one up to the default that is not restricted.
 *
 * @throws PlatformError `invalid` for a visibility that only administrators can choose
 */
export const chooseVisibility = async (
  ctx: Context,
  requested: Visibility | undefined,
  fallback: Visibility,
): Promise<Visibility> => {
  await assertUnrestricted(ctx, requested)
  if (requested !== undefined || isAdministrator(ctx.actor)) return requested ?? fallback
  const { restrictedVisibilityLevels: restricted } = await getSettings(ctx)
  const permitted = visibilities.filter((one) => !restricted.includes(one) && !isMoreVisible(one, fallback))
  return permitted.reduce((best, one) => (isMoreVisible(one, best) ? one : best), getLessVisible('private', fallback))
}
