import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import { getSettings } from '../../administration/settings/queries.ts'

/** The time before which created pipelines are archived: the setting `archiveBuildsInHumanReadable`. Empty for never. */
export const readArchiveTime = async (ctx: Context): Promise<string> => {
  const age = parseHumanDuration((await getSettings(ctx)).archiveBuildsInHumanReadable ?? '')
  return age === undefined ? '' : addSeconds(ctx.now, -age)
}
