import type { Project } from '../../../../contract/project.ts'
import type { ReleaseWithoutCommit } from '../../../delivery/releases/release.ts'
import type { HookPayload } from '../delivery.ts'
import { withAbsoluteImages } from './absolute-images.ts'
import { buildProject, type PayloadContext, toProjectUrl } from './common.ts'

const archiveFormats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const

/** A new, changed or removed release. The commit is completed when the event is sent. */
export const buildReleaseEvent = async (
  payload: PayloadContext,
  project: Project,
  action: 'create' | 'update' | 'delete',
  release: ReleaseWithoutCommit,
): Promise<HookPayload> => {
  const url = toProjectUrl(payload.site, project)
  const tag = encodeURIComponent(release.tagName)
  return {
    id: release.id,
    created_at: release.createdAt,
    description: withAbsoluteImages(payload.site, project, release.description),
    name: release.name,
    released_at: release.releasedAt,
    tag: release.tagName,
    object_kind: 'release',
    project: await buildProject(payload, project),
    url: `${url}/-/releases/${tag}`,
    action,
    assets: {
      count: release.links.length + archiveFormats.length,
      links: release.links.map(({ id, linkType, name, url }) => ({
        id,
        external: true,
        link_type: linkType,
        name,
        url,
      })),
      sources: archiveFormats.map((format) => ({
        format,
        url: `${url}/-/archive/${tag}/${project.path}-${tag}.${format}`,
      })),
    },
    commit: release.sha === null ? null : { id: release.sha },
  }
}
