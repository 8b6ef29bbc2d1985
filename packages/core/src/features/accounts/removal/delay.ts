import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { getSettings, isSettingSet } from '../../administration/settings/queries.ts'

/** The input of the removal of a project or group. */
export const removalInput = {
  /**
   * Removes at once what is marked for deletion. Requires `fullPath`. Default: false. Without the setting
   * `deletionAdjournedPeriod`, everything is removed at once.
   */
  permanentlyRemove: v.optional(v.boolean(), false),
  /** Full path of what is removed, as a confirmation. Another one is an error. */
  fullPath: v.optional(v.string()),
}

interface RemovalInput {
  readonly permanentlyRemove: boolean
  readonly fullPath?: string | undefined
}

interface Removable {
  readonly fullPath: string
  readonly markedForDeletionOn: string | null
}

/** Days from the mark to the removal; 0 if everything is removed at once. */
export const getRemovalDelay = async (ctx: Context): Promise<number> =>
  (await isSettingSet(ctx, 'deletionAdjournedPeriod')) ? (await getSettings(ctx)).deletionAdjournedPeriod : 0

/**
 * Whether a request for a removal only marks a project or group for deletion.
 *
 * @throws PlatformError `invalid` for a wrong confirmation, and if it has or lacks the mark
 */
export async function isRemovalDelayed(
  ctx: Context,
  { fullPath, markedForDeletionOn }: Removable,
  input: RemovalInput,
  kind: 'Project' | 'Group',
): Promise<boolean> {
  const unconfirmed = () =>
    invalid(`\`full_path\` is incorrect. You must enter the complete path for the ${kind.toLowerCase()}.`)
  if (input.fullPath !== undefined && input.fullPath !== fullPath) throw unconfirmed()
  if (!(await getRemovalDelay(ctx))) return false
  if (!input.permanentlyRemove) {
    if (markedForDeletionOn !== null) throw invalid(`${kind} has been already marked for deletion`)
    return true
  }
  if (input.fullPath === undefined) throw unconfirmed()
  if (markedForDeletionOn === null) throw invalid(`${kind} must be marked for deletion first.`)
  return false
}

/** @throws PlatformError `invalid` for a project or group that is not marked for deletion */
export const assertMarked = ({ markedForDeletionOn }: Removable, kind: 'Project' | 'Group'): void => {
  if (markedForDeletionOn === null) throw invalid(`${kind} has not been marked for deletion`)
}
