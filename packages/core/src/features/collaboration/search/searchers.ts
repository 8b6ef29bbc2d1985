import { withGrants } from '../../../access/grants.ts'
import type { IssueScope } from '../../../access/issue-rows.ts'
import {
  readableGroups,
  readableIssuesOfProject,
  readableMilestones,
  readableNotes,
  readableProjects,
  readableSnippets,
} from '../../../access/predicates.ts'
import { matchesSearch } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Page, paginate } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { toUserSummary } from '../../accounts/users/user.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { isInScope } from '../../planning/issuables/scope.ts'
import { listIssues } from '../../planning/issues/list.ts'
import type { MilestoneRecord } from '../../planning/milestones/milestone.ts'
import { completeMilestones, milestoneColumns } from '../../planning/milestones/queries.ts'
import { projectPage } from '../../spaces/projects/project-list.ts'
import { listMergeRequests } from '../merge-requests/list.ts'
import { notesById } from '../notes/queries.ts'
import { completeSnippets, snippetColumns, snippetRows } from '../snippets/queries.ts'
import type { SnippetRecord } from '../snippets/snippet.ts'
import type { RowScope, SearchPage, SearchResults } from './search-page.ts'

interface SearchOptions {
  readonly search: string
  readonly state: 'opened' | 'closed' | 'merged' | 'all'
  readonly confidential?: boolean | undefined
  /** Fields of issues and merge requests to search. Default: all. */
  readonly fields?: 'title'[] | undefined
  readonly orderBy: 'created_at'
  readonly sort: 'asc' | 'desc'
  readonly page: number
  readonly perPage: number
}

type Searcher<S extends RowScope> = (
  ctx: Context,
  scope: IssueScope,
  options: SearchOptions,
) => Promise<Page<SearchResults[S]>>

const emptyPage = ({ page, perPage }: SearchOptions) =>
  ({ items: [], page, perPage, total: 0, hasNext: false }) satisfies Page<never>

/** The condition that the columns contain the words. A text without letters and digits matches rows that equal it. */
const matches = ({ dialect }: Context, columns: readonly string[], { search }: SearchOptions) =>
  matchesSearch(dialect, columns, parseSearchText(search))

/** The projects of the scope that the current user can read. */
const selectProjects = async (ctx: Context, scope: IssueScope) =>
  ctx.db
    .selectFrom('project')
    .where(readableProjects(await withGrants(ctx)))
    .where(isInScope(scope))

const searchProjects: Searcher<'projects'> = async (ctx, scope, { search, sort, page, perPage }) =>
  projectPage(await withGrants(ctx), await selectProjects(ctx, scope), {
    search,
    sort,
    page,
    perPage,
    orderBy: 'created_at',
    simple: true,
    starred: false,
    withIssuesEnabled: false,
    withMergeRequestsEnabled: false,
    withCustomAttributes: false,
  })

const searchIssues: Searcher<'issues'> = async (ctx, scope, { state, fields, ...options }) => {
  if (state === 'merged' || (scope.kind === 'project' && !hasAbility(ctx.actor, scope, 'issue.list'))) {
    return emptyPage(options as SearchOptions)
  }
  return listIssues(ctx, scope, { ...options, state, in: fields, withLabelsDetails: false })
}

const searchMergeRequests: Searcher<'merge_requests'> = async (ctx, scope, { confidential: _, fields, ...options }) => {
  if (scope.kind === 'project' && !hasAbility(ctx.actor, scope, 'mergeRequest.list')) {
    return emptyPage(options)
  }
  return listMergeRequests(ctx, scope, { ...options, in: fields, withLabelsDetails: false })
}

const searchMilestones: Searcher<'milestones'> = async (ctx, scope, options) => {
  const grants = await withGrants(ctx)
  const projects = await selectProjects(ctx, scope)
  const projectIds = projects.where(readableMilestones(grants)).select('project.id')
  const readable = readableGroups(grants)
  let groups = ctx.db.selectFrom('namespace').where('namespace.kind', '=', 'group').where(readable)
  if (scope.kind === 'group') {
    const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', scope.group.id).select('namespaceId')
    groups = groups.where('namespace.id', 'in', below)
  }
  let rows = ctx.db
    .selectFrom('milestone')
    .where((eb) =>
      eb.or([
        eb('milestone.projectId', 'in', projectIds),
        ...(scope.kind === 'project' ? [] : [eb('milestone.groupId', 'in', groups.select('namespace.id'))]),
      ]),
    )
    .orderBy('milestone.id', options.sort)
    .select(milestoneColumns)
  const found = matches(ctx, ['milestone.title', 'milestone.description'], options)
  if (found) rows = rows.where(found)
  const page = await paginate(rows, options, (row): MilestoneRecord => row)
  return { ...page, items: await completeMilestones(ctx, page.items) }
}

/** Ids of the members of the scope and of the groups above it. */
const selectMemberIds = (ctx: Context, scope: Exclude<IssueScope, { kind: 'instance' }>) => {
  const namespaceId = scope.kind === 'project' ? scope.project.namespaceId : scope.group.id
  const groups = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')
  return ctx.db
    .selectFrom('member')
    .where((eb) =>
      eb.or([
        eb('member.groupId', 'in', groups),
        ...(scope.kind === 'project' ? [eb('member.projectId', '=', scope.project.id)] : []),
      ]),
    )
    .select('member.userId')
}

const searchUsers: Searcher<'users'> = async (ctx, scope, options) => {
  let rows = ctx.db
    .selectFrom('user')
    .orderBy('user.id')
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.publicEmail'])
  if (scope.kind !== 'instance') rows = rows.where('user.id', 'in', selectMemberIds(ctx, scope))
  const found = matches(ctx, ['user.name', 'user.username'], options)
  if (found) rows = rows.where(found)
  return paginate(rows, options, toUserSummary(await getSettings(ctx)))
}

const searchNotes: Searcher<'notes'> = async (ctx, scope, options) => {
  if (scope.kind !== 'project') return emptyPage(options)
  const { project } = scope
  const accessCtx = await withGrants(ctx)
  const issueIds = ctx.db.selectFrom('issue').where('issue.projectId', '=', project.id)
  const mergeRequestIds = ctx.db.selectFrom('mergeRequest').where('mergeRequest.projectId', '=', project.id)
  const snippets = snippetRows(ctx).where('snippet.projectId', '=', project.id).where(readableSnippets(accessCtx))
  const found = matches(ctx, ['note.body'], options)
  const rows = ctx.db
    .selectFrom('note')
    .where('note.system', '=', false)
    .where(readableNotes(accessCtx))
    .where((eb) =>
      eb.and([
        ...(found ? [found] : []),
        eb.or([
          eb('note.snippetId', 'in', snippets.select('snippet.id')),
          ...(hasAbility(ctx.actor, scope, 'issue.list')
            ? [eb('note.issueId', 'in', issueIds.where(readableIssuesOfProject(ctx, scope)).select('issue.id'))]
            : []),
          ...(hasAbility(ctx.actor, scope, 'mergeRequest.list') && hasAbility(ctx.actor, scope, 'code.read')
            ? [eb('note.mergeRequestId', 'in', mergeRequestIds.select('mergeRequest.id'))]
            : []),
        ]),
      ]),
    )
    .orderBy('note.id', options.sort)
    .select('note.id')
  const page = await paginate(rows, options, ({ id }) => id)
  const notes = await notesById(ctx, page.items)
  return { ...page, items: page.items.map((id) => defined(notes.get(id))) }
}

const searchSnippets: Searcher<'snippet_titles'> = async (ctx, scope, options) => {
  if (scope.kind !== 'instance') return emptyPage(options)
  let rows = snippetRows(ctx)
    .where(readableSnippets(await withGrants(ctx)))
    .orderBy('snippet.id', options.sort)
    .select(snippetColumns)
  const found = matches(ctx, ['snippet.title'], options)
  if (found) rows = rows.where(found)
  const page = await paginate(rows, options, (row): SnippetRecord => row)
  return { ...page, items: await completeSnippets(ctx, page.items) }
}

const searchers: { readonly [S in RowScope]: Searcher<S> } = {
  projects: searchProjects,
  issues: searchIssues,
  merge_requests: searchMergeRequests,
  milestones: searchMilestones,
  users: searchUsers,
  notes: searchNotes,
  snippet_titles: searchSnippets,
}

/** A page of items in the database. */
export const searchRows = async (
  ctx: Context,
  subject: IssueScope,
  scope: RowScope,
  options: SearchOptions,
): Promise<SearchPage> => ({ ...(await searchers[scope](ctx, subject, options)), scope }) as SearchPage
