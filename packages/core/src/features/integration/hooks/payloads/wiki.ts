import type { Project } from '../../../../contract/project.ts'
import type { WikiText } from '../../../collaboration/wikis/wiki-page.ts'
import type { HookPayload } from '../delivery.ts'
import { withAbsoluteImages } from './absolute-images.ts'
import { buildProject, buildUser, findActor, type PayloadContext, toProjectUrl } from './common.ts'

const participles = { create: 'created', update: 'updated', delete: 'deleted' } as const

/** A new, changed or removed page of the wiki of a project. It has no version, because only the current text is stored. */
export const buildWikiPageEvent = async (
  payload: PayloadContext,
  project: Project,
  action: keyof typeof participles,
  { slug, title, format, content }: WikiText,
): Promise<HookPayload> => {
  const actor = await findActor(payload, null)
  const projectPayload = await buildProject(payload, project)
  const wikiUrl = `${toProjectUrl(payload.site, project)}/-/wikis`
  return {
    object_kind: 'wiki_page',
    user: actor && buildUser(payload.site)(actor),
    project: projectPayload,
    wiki: {
      web_url: `${wikiUrl}/home`,
      path_with_namespace: `${project.fullPath}.wiki`,
      default_branch: project.defaultBranch,
    },
    object_attributes: {
      slug,
      title,
      format,
      content: withAbsoluteImages(payload.site, project, content),
      message: `${actor?.name ?? 'The host'} ${participles[action]} page: ${title}`,
      url: `${wikiUrl}/${slug.split('/').map(encodeURIComponent).join('/')}`,
      action,
    },
  }
}
