import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { findMaxArtifactsSize } from '../../accounts/namespaces/inherited-settings.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'

/**
 * Checks the limit of the project, or else of the nearest group with one, or else of the instance.
 *
 * @throws PlatformError `unprocessable` for an archive that is larger
 */
export const assertArtifactsSize = async (ctx: Context, project: Project, bytes: number): Promise<void> => {
  const { maxArtifactsSize: own } = await readProjectSettings(ctx, project.id)
  const megabytes =
    own ?? (await findMaxArtifactsSize(ctx, project.namespaceId)) ?? (await getSettings(ctx)).maxArtifactsSize
  if (bytes > megabytes * 1024 ** 2)
    throw new PlatformError('unprocessable', 'The artifacts are too large', { reason: 'artifacts_too_large' })
}
