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

const listSections = (project: ProjectDetails): readonly (readonly [ProjectSection, string, string])[] => {
  const hasCode = project.defaultBranch !== undefined && !project.emptyRepo
  return [
    ['project', 'Project', ''],
    ...(hasCode
      ? ([
          ['tree', 'Files', `-/tree/${project.defaultBranch}`],
          ['branches', 'Branches', '-/branches'],
          ['tags', 'Tags', '-/tags'],
        ] as const)
      : []),
    ...(project.issuesEnabled ? ([['issues', 'Issues', '-/issues']] as const) : []),
    ...(project.mergeRequestsEnabled ? ([['merge_requests', 'Merge requests', '-/merge_requests']] as const) : []),
    ['milestones', 'Milestones', '-/milestones'],
    ['labels', 'Labels', '-/labels'],
    ...(project.defaultBranch === undefined ? [] : ([['releases', 'Releases', '-/releases']] as const)),
  ]
}

/** The content of a page with the navigation of its project. */
export const projectPage = (ctx: PageContext, project: ProjectDetails, section: ProjectSection, content: Html): Html =>
  html`${breadcrumbs(ctx, project.fullPath, false)}
<nav class="sections" aria-label="Project"><ul>${listSections(project).map(
    ([name, title, path]) =>
      html`<li><a href="${ctx.url(path === '' ? project.fullPath : `${project.fullPath}/${path}`)}"${name === section && html` aria-current="page"`}>${title}</a></li>`,
  )}</ul></nav>
${content}`

/** The URL of a file, a directory or its raw content at a revision. */
export const fileUrl = (
  ctx: PageContext,
  project: string,
  {
    kind,
    ref,
    path,
  }: { readonly kind: 'tree' | 'blob' | 'raw' | 'commits'; readonly ref: string; readonly path: string },
): string => `${ctx.url(project)}/-/${kind}/${encodePath(ref)}${path === '' ? '' : `/${encodePath(path)}`}`
