import type { ProjectDetails } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import { encodePath, type PageContext } from '../page-context.ts'

/** The part of the project that a page belongs to. */
export type ProjectSection =
  | 'project'
  | 'tree'
  | 'branches'
  | 'tags'
  | 'issues'
  | 'merge_requests'
  | 'milestones'
  | 'labels'
  | 'releases'
  | 'pipelines'
  | 'environments'
  | 'packages'
  | 'registry'
  | 'wikis'
  | 'snippets'
  | 'members'
  | 'activity'
  | 'search'
  | 'other'

export const loadProject = (ctx: PageContext, project: string): Promise<ProjectDetails> =>
  ctx.session.projects.get({ project })

/** Links to the groups above, or to the owner of a personal project. */
export const breadcrumbs = (ctx: PageContext, fullPath: string, isGroup: boolean): Html => {
  const segments = fullPath.split('/')
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${segments.map((segment, index) => {
    const path = segments.slice(0, index + 1).join('/')
    const isLast = index === segments.length - 1
    return html`<li><a href="${ctx.url(isLast && isGroup ? `groups/${path}` : path)}">${segment}</a></li>`
  })}</ol></nav>`
}

/** Whether the visitor has a level on the project, or could have all of them: levels of administrators are not known. */
export const hasLevel = ({ viewer }: PageContext, { permissions }: ProjectDetails, level: number): boolean => {
  const { projectAccess, groupAccess } = permissions
  const own = Math.max(projectAccess?.accessLevel ?? 0, groupAccess?.accessLevel ?? 0)
  return viewer !== undefined && (viewer.admin === true || viewer.id === undefined || own >= level)
}

/** Whether the visitor can expect to use a feature of this level. */
const isOpen = (ctx: PageContext, project: ProjectDetails, level: string): boolean =>
  level === 'enabled' || level === 'public' || (level === 'private' && hasLevel(ctx, project, 10))

type Section = readonly [section: ProjectSection, name: string, path: string]

/** The parts of a project that the visitor can expect to read. */
const listSections = (ctx: PageContext, project: ProjectDetails): readonly Section[] => {
  const hasCode = project.defaultBranch !== undefined && !project.emptyRepo
  const sections: readonly (Section | false)[] = [
    ['project', 'Project', ''],
    ['activity', 'Activity', '-/activity'],
    ctx.viewer !== undefined && ['members', 'Members', '-/project_members'],
    hasCode && ['tree', 'Files', `-/tree/${project.defaultBranch}`],
    hasCode && ['branches', 'Branches', '-/branches'],
    hasCode && ['tags', 'Tags', '-/tags'],
    project.issuesEnabled && ['issues', 'Issues', '-/issues'],
    project.mergeRequestsEnabled && ['merge_requests', 'Merge requests', '-/merge_requests'],
    ['milestones', 'Milestones', '-/milestones'],
    ['labels', 'Labels', '-/labels'],
    project.jobsEnabled && ['pipelines', 'Pipelines', '-/pipelines'],
    project.environmentsAccessLevel !== 'disabled' &&
      hasLevel(ctx, project, 20) && ['environments', 'Environments', '-/environments'],
    project.defaultBranch !== undefined && ['releases', 'Releases', '-/releases'],
    isOpen(ctx, project, project.packageRegistryAccessLevel) && ['packages', 'Packages', '-/packages'],
    isOpen(ctx, project, project.containerRegistryAccessLevel) && [
      'registry',
      'Container registry',
      '-/container_registry',
    ],
    project.wikiEnabled && ['wikis', 'Wiki', '-/wikis'],
    project.snippetsEnabled && ['snippets', 'Snippets', '-/snippets'],
  ]
  return sections.filter((section) => section !== false)
}

/** The content of a page with the navigation of its project. */
export const projectPage = (ctx: PageContext, project: ProjectDetails, section: ProjectSection, content: Html): Html =>
  html`${breadcrumbs(ctx, project.fullPath, false)}
<nav class="sections" aria-label="Project"><ul>${listSections(ctx, project).map(
    ([name, title, path]) =>
      html`<li><a href="${ctx.url(path === '' ? project.fullPath : `${project.fullPath}/${path}`)}"${name === section && html` aria-current="page"`}>${title}</a></li>`,
  )}${ctx.viewer && html`<li><a href="${ctx.url('-/search')}?project_id=${project.id}"${section === 'search' && html` aria-current="page"`}>Search</a></li>`}</ul></nav>
${content}`

/** The URL of a file, a directory or its raw content at a revision. */
export const fileUrl = (
  ctx: PageContext,
  project: string,
  {
    kind,
    ref,
    path,
  }: { readonly kind: 'tree' | 'blob' | 'raw' | 'commits' | 'blame'; readonly ref: string; readonly path: string },
): string => `${ctx.url(project)}/-/${kind}/${encodePath(ref)}${path === '' ? '' : `/${encodePath(path)}`}`
