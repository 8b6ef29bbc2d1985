import { defined } from '@forgelet/core/operations'
import type { TargetParts } from '../request/target.ts'
import type { Submit } from './form.ts'
import type { PageParameters, View } from './page-context.ts'

interface ViewModule {
  readonly view: View
  /** Runs the forms of the page. */
  readonly submit?: Submit
}

type LoadView = () => Promise<ViewModule>

/** The view of a path. */
export interface PageMatch {
  /** The template of the path, for logs and metrics: `/:project/-/issues/:iid`. */
  readonly route: string
  readonly load: LoadView
  readonly parameters: PageParameters
  /** Whether programs request it, with a token of the API. */
  readonly acceptsTokens?: boolean
  /** Whether the page has forms, which are sent to its own address. */
  readonly acceptsForms?: boolean
  /** Whether its address is the permission: the page replies to its form itself, also to programs that send it. */
  readonly hasKey?: boolean
}

/** Templates of paths of pages with forms. */
const formPages: ReadonlySet<string> = new Set([
  'account',
  'account/tokens',
  'account/keys',
  'account/notifications',
  'account/applications',
  'todos',
  'sign_up',
  'users/terms',
  'broadcast_messages',
])

/** Templates of paths of files. */
const filePages: ReadonlySet<string> = new Set(['raw/*', 'archive/*'])

/** Views by the template of the path after `/-/`. `:name` is one segment, `*` all that follow. */
type Pages = Readonly<Record<string, LoadView>>

const snippet: LoadView = () => import('./views/snippet.ts')
const snippetRaw: LoadView = () => import('./views/snippet-raw.ts')
const issues: LoadView = () => import('./views/issues.ts')
const mergeRequests: LoadView = () => import('./views/merge-requests.ts')
const milestones: LoadView = () => import('./views/milestones.ts')
const milestone: LoadView = () => import('./views/milestone.ts')
const labels: LoadView = () => import('./views/labels.ts')
const release: LoadView = () => import('./views/release.ts')
const snippets: LoadView = () => import('./views/snippets.ts')
const members: LoadView = () => import('./views/members.ts')
const packages: LoadView = () => import('./views/packages.ts')
const wikis: LoadView = () => import('./views/wikis.ts')
const wiki: LoadView = () => import('./views/wiki.ts')
const boards: LoadView = () => import('./views/boards.ts')
const board: LoadView = () => import('./views/board.ts')
const compare: LoadView = () => import('./views/compare.ts')

/** Templates of pages with a form of their own, whose address is the permission. */
const keyedPages: ReadonlySet<string> = new Set([
  'password/new',
  'password/:key/edit',
  'emails/:key/confirm',
  'invites/:key',
  'sent_notifications/:key/unsubscribe',
])

const sitePages: Pages = {
  sign_in: () => import('./views/sign-in.ts'),
  'users/terms': () => import('./views/terms.ts'),
  sign_up: () => import('./views/sign-up.ts'),
  search: () => import('./views/search.ts'),
  todos: () => import('./views/todos.ts'),
  account: () => import('./views/account.ts'),
  'account/tokens': () => import('./views/account-tokens.ts'),
  'account/keys': () => import('./views/account-keys.ts'),
  'account/notifications': () => import('./views/account-notifications.ts'),
  'account/applications': () => import('./views/account-applications.ts'),
  'manifest.json': () => import('./views/manifest.ts'),
  broadcast_messages: () => import('./views/broadcast-messages.ts'),
  snippets,
  'password/new': () => import('./views/request-password.ts'),
  'password/:key/edit': () => import('./views/reset-password.ts'),
  'invites/:key': () => import('./views/invitation.ts'),
  'emails/:key/confirm': () => import('./views/confirm-email.ts'),
  'sent_notifications/:key/unsubscribe': () => import('./views/unsubscribe.ts'),
  'snippets/:id': snippet,
  'snippets/:id/raw': snippetRaw,
}

const projectPages: Pages = {
  'tree/*': () => import('./views/tree.ts'),
  'blob/*': () => import('./views/blob.ts'),
  'raw/*': () => import('./views/raw.ts'),
  'archive/*': () => import('./views/archive.ts'),
  'blame/*': () => import('./views/blame.ts'),
  compare,
  'compare/*': compare,
  'commit/:sha': () => import('./views/commit.ts'),
  'commits/*': () => import('./views/commits.ts'),
  branches: () => import('./views/branches.ts'),
  tags: () => import('./views/tags.ts'),
  'tags/*': () => import('./views/tag.ts'),
  issues,
  'issues/:iid': () => import('./views/issue.ts'),
  merge_requests: mergeRequests,
  'merge_requests/:iid': () => import('./views/merge-request.ts'),
  milestones,
  'milestones/:iid': milestone,
  labels,
  releases: () => import('./views/releases.ts'),
  'releases/:tag': release,
  'releases/:tag/edit': release,
  snippets,
  'snippets/:id': snippet,
  'snippets/:id/raw': snippetRaw,
  pipelines: () => import('./views/pipelines.ts'),
  'pipelines/:id': () => import('./views/pipeline.ts'),
  jobs: () => import('./views/jobs.ts'),
  'jobs/:id': () => import('./views/job.ts'),
  'jobs/:id/raw': () => import('./views/job-log.ts'),
  'jobs/:id/artifacts/download': () => import('./views/artifacts.ts'),
  environments: () => import('./views/environments.ts'),
  'environments/:id': () => import('./views/environment.ts'),
  activity: () => import('./views/activity.ts'),
  forks: () => import('./views/forks.ts'),
  starrers: () => import('./views/starrers.ts'),
  'graphs/*': () => import('./views/contributors.ts'),
  pipeline_schedules: () => import('./views/schedules.ts'),
  boards,
  'boards/:id': board,
  container_registry: () => import('./views/registry.ts'),
  'container_registry/:id': () => import('./views/registry-repository.ts'),
  packages,
  'packages/:id': () => import('./views/package.ts'),
  wikis,
  'wikis/*': wiki,
  project_members: members,
}

const groupPages: Pages = {
  epics: () => import('./views/epics.ts'),
  'epics/:iid': () => import('./views/epic.ts'),
  issues,
  merge_requests: mergeRequests,
  milestones,
  'milestones/:iid': milestone,
  labels,
  packages,
  wikis,
  'wikis/*': wiki,
  group_members: members,
  boards,
  'boards/:id': board,
}

const matchTemplate = (template: string, segments: readonly string[]): PageParameters | undefined => {
  const parameters: Record<string, string> = {}
  const parts = template.split('/')
  if (parts.at(-1) === '*' ? segments.length < parts.length : segments.length !== parts.length) return undefined
  for (const [index, part] of parts.entries()) {
    const segment = defined(segments[index])
    if (part === '*') parameters.rest = segments.slice(index).join('/')
    else if (part.startsWith(':')) parameters[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return parameters
}

const findPage = (pages: Pages, segments: readonly string[]) => {
  for (const [template, load] of Object.entries(pages)) {
    const parameters = matchTemplate(template, segments)
    if (parameters) return { template, load, parameters }
  }
  return undefined
}

const matchBelowDash = (
  pages: Pages,
  prefix: string,
  segments: readonly string[],
  own: PageParameters,
): PageMatch | undefined => {
  const found = findPage(pages, segments)
  return (
    found && {
      route: `${prefix}/-/${found.template}`,
      load: found.load,
      parameters: { ...own, ...found.parameters },
      acceptsTokens: filePages.has(found.template),
      acceptsForms: prefix === '' && formPages.has(found.template),
      hasKey: keyedPages.has(found.template),
    }
  )
}

const snippetPath =
  /^(?:(?<project>[^/]+\/.+?)\/)?snippets\/(?<id>\d+)(?<raw>\/raw(?:\/(?<ref>[^/]+)\/(?<filePath>.+))?)?$/

/** The URLs of snippets have no `/-/`. */
const matchSnippet = (segments: readonly string[]): PageMatch | undefined => {
  const { groups } = snippetPath.exec(segments.join('/')) ?? {}
  if (!groups) return undefined
  const { project, raw, ref } = groups
  const suffix = raw === undefined ? '' : ref === undefined ? '/raw' : '/raw/:ref/*'
  return {
    route: `${project === undefined ? '' : '/:project'}/snippets/:id${suffix}`,
    load: raw === undefined ? snippet : snippetRaw,
    parameters: Object.fromEntries(
      Object.entries(groups).filter(([name, value]) => name !== 'raw' && value !== undefined),
    ),
  }
}

/** The documented URLs of uploads have no `/-/`. */
const matchUpload = (segments: readonly string[]): PageMatch | undefined => {
  const [name, secret = '', fileName = ''] = segments.slice(-3)
  if (name !== 'uploads' || segments.length < 5 || !/^[0-9a-f]{32}$/.test(secret)) return undefined
  return {
    route: '/:project/uploads/:secret/:filename',
    load: () => import('./views/upload.ts'),
    parameters: { project: segments.slice(0, -3).join('/'), secret, fileName },
  }
}

const matchNamespace = (segments: readonly string[]): PageMatch => {
  if (segments[0] === 'groups' && segments.length > 1) {
    const group = segments.slice(1).join('/')
    return { route: '/groups/:group', load: () => import('./views/group.ts'), parameters: { group } }
  }
  const path = segments.join('/')
  return segments.length === 1
    ? { route: '/:namespace', load: () => import('./views/namespace.ts'), parameters: { path } }
    : { route: '/:project', load: () => import('./views/project-or-group.ts'), parameters: { path } }
}

/** An encoded slash would start the address of another site in the links of a page. */
const isName = /^[^\t\n\r/\\]+$/

/** Addresses of the API, the control plane and git have no pages, whatever projects are called. */
const isReserved = (segments: readonly string[]): boolean =>
  segments[0] === 'api' || segments[0] === '_forgelet' || segments.some((segment) => segment.endsWith('.git'))

/** `go get` requests the path of a package below the one of its project, with `go-get=1`. */
const matchGoImport = (segments: readonly string[]): PageMatch | undefined => {
  if (segments.length < 2 || !segments.every((segment) => isName.test(segment)) || isReserved(segments))
    return undefined
  const path = segments.join('/')
  const load: LoadView = () => import('./views/go-import.ts')
  return { route: '/:project?go-get=1', load, parameters: { path }, acceptsTokens: true }
}

/** Finds the page of a path. @throws URIError if the path is not valid percent-encoded UTF-8 */
export const matchPage = ({ path, query }: TargetParts): PageMatch | undefined => {
  const segments = path.replace(/\/$/, '').split('/').slice(1).map(decodeURIComponent)
  if (new URLSearchParams(query).get('go-get') === '1') return matchGoImport(segments)
  if (segments.length === 0) return { route: '/', load: () => import('./views/home.ts'), parameters: {} }
  const dash = segments.indexOf('-')
  const owner = dash < 0 ? segments : segments.slice(0, dash)
  if (!owner.every((segment) => isName.test(segment)) || isReserved(owner)) return undefined
  if (dash < 0) return matchSnippet(segments) ?? matchUpload(segments) ?? matchNamespace(segments)
  const rest = segments.slice(dash + 1)
  if (dash === 0) return matchBelowDash(sitePages, '', rest, {})
  if (owner[0] === 'groups' && owner.length > 1) {
    return matchBelowDash(groupPages, '/groups/:group', rest, { group: owner.slice(1).join('/') })
  }
  return matchBelowDash(projectPages, '/:project', rest, { project: owner.join('/') })
}
