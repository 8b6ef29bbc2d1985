import type { Html } from '../html.ts'
import type { PageContext, PageParameters } from '../page-context.ts'
import { type GroupSection, groupPage } from './group-page.ts'
import { loadProject, type ProjectSection, projectPage } from './project-page.ts'

type ContainerReference = { readonly project: string } | { readonly group: string }

/** The project or the group that a page belongs to. */
export interface PageContainer {
  /** Input of operations on it. */
  readonly reference: ContainerReference
  readonly fullPath: string
  /** The full path of a project, to which references in texts belong; undefined for a group. */
  readonly project: string | undefined
  /** The URL of a page below it: `url('milestones', 1)`. */
  url(...parts: readonly (string | number)[]): string
  /** The content with its navigation. */
  page(section: ProjectSection & GroupSection, content: Html): Html
}

/** The project or the group of a page that exists for both. */
export const loadContainer = async (
  ctx: PageContext,
  { project: path, group = '' }: PageParameters,
): Promise<PageContainer> => {
  if (path !== undefined) {
    const project = await loadProject(ctx, path)
    const { fullPath } = project
    return {
      reference: { project: fullPath },
      fullPath,
      project: fullPath,
      url: (...parts) => ctx.url(fullPath, '-', ...parts),
      page: (section, content) => projectPage(ctx, project, section, content),
    }
  }
  const { fullPath } = await ctx.session.groups.get({ group, withProjects: false })
  return {
    reference: { group: fullPath },
    fullPath,
    project: undefined,
    url: (...parts) => ctx.url('groups', fullPath, '-', ...parts),
    page: (section, content) => groupPage(ctx, fullPath, section, content),
  }
}
