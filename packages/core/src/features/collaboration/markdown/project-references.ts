import { expressionBuilder } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableIssues, readableMergeRequests, readableMilestones } from '../../../access/predicates.ts'
import { project as projectSubject } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import type { Reference } from '../../../ports/markdown/reference.ts'
import { getTextColor } from '../../../shared/colors.ts'
import { defined } from '../../../shared/defined.ts'
import type { ResolutionContext } from './resolution-context.ts'

/** Maximum projects per text; references to further projects stay text. */
const maxProjects = 100

const findVisibleProject = async (ctx: Context, path: string): Promise<Project | undefined> =>
  (await loadIfVisible(ctx, projectSubject, { project: path }))?.project

const numericReferences = (references: readonly Reference[], kind: Reference['kind']) =>
  references.filter(
    (reference) => reference.kind === kind && !reference.quoted && /^[0-9]{1,10}$/.test(reference.value),
  )

const keyByNumber = (references: readonly Reference[]) =>
  new Map(references.map((reference) => [Number(reference.value), reference]))

const issues = async (
  { ctx, url, setResolved }: ResolutionContext,
  project: Project,
  references: readonly Reference[],
) => {
  const requested = keyByNumber(numericReferences(references, 'issue'))
  if (!requested.size) return
  const rows = await ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('issue.projectId', '=', project.id)
    .where('issue.iid', 'in', [...requested.keys()])
    .where(readableIssues(await withGrants(ctx)))
    .select(['issue.iid', 'issue.title'])
    .execute()
  for (const { iid, title } of rows) {
    setResolved(defined(requested.get(iid)), { url: url(`/${project.fullPath}/-/issues/${iid}`), title })
  }
}

const mergeRequests = async (
  { ctx, url, setResolved }: ResolutionContext,
  project: Project,
  references: readonly Reference[],
) => {
  const requested = keyByNumber(numericReferences(references, 'merge_request'))
  if (!requested.size) return
  const rows = await ctx.db
    .selectFrom('mergeRequest')
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where('mergeRequest.projectId', '=', project.id)
    .where('mergeRequest.iid', 'in', [...requested.keys()])
    .where(readableMergeRequests(await withGrants(ctx)))
    .select(['mergeRequest.iid', 'mergeRequest.title'])
    .execute()
  for (const { iid, title } of rows) {
    setResolved(defined(requested.get(iid)), { url: url(`/${project.fullPath}/-/merge_requests/${iid}`), title })
  }
}

/** Ancestor groups of a project, which share their labels and milestones with it. */
const ancestorIds = (ctx: Context, { namespaceId }: Project) =>
  ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')

const labels = async (
  { ctx, url, setResolved }: ResolutionContext,
  project: Project,
  references: readonly Reference[],
) => {
  const requested = references.filter(({ kind }) => kind === 'label')
  if (!requested.length) return
  const ids = numericReferences(requested, 'label').map(({ value }) => Number(value))
  const rows = await ctx.db
    .selectFrom('label')
    .where((eb) => eb.or([eb('projectId', '=', project.id), eb('groupId', 'in', ancestorIds(ctx, project))]))
    .where((eb) =>
      eb.or([
        eb(
          'name',
          'in',
          requested.map(({ value }) => value),
        ),
        eb('id', 'in', ids.length ? ids : [0]),
      ]),
    )
    .select(['id', 'name', 'color', 'description'])
    .execute()
  for (const reference of requested) {
    const label =
      rows.find(({ name }) => name === reference.value) ??
      (reference.quoted ? undefined : rows.find(({ id }) => String(id) === reference.value))
    if (!label) continue
    setResolved(reference, {
      url: url(`/${project.fullPath}/-/issues?label_name=${encodeURIComponent(label.name)}`),
      title: label.description ?? '',
      text: label.name,
      color: label.color,
      textColor: getTextColor(label.color),
    })
  }
}

const milestones = async (
  { ctx, url, setResolved }: ResolutionContext,
  project: Project,
  references: readonly Reference[],
) => {
  const requested = references.filter(({ kind, group }) => kind === 'milestone' && group === undefined)
  if (!requested.length) return
  const iids = numericReferences(requested, 'milestone').map(({ value }) => Number(value))
  const readable = readableMilestones(await withGrants(ctx))
  const rows = await ctx.db
    .selectFrom('milestone')
    .leftJoin('namespace', 'namespace.id', 'milestone.groupId')
    .leftJoin('project', 'project.id', 'milestone.projectId')
    .where((eb) =>
      eb.or([
        eb.and([eb('milestone.projectId', '=', project.id), readable(expressionBuilder())]),
        eb('milestone.groupId', 'in', ancestorIds(ctx, project)),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb(
          'milestone.title',
          'in',
          requested.map(({ value }) => value),
        ),
        eb('milestone.iid', 'in', iids.length ? iids : [0]),
      ]),
    )
    .select(['milestone.iid', 'milestone.title', 'milestone.projectId', 'namespace.fullPath'])
    .execute()
  for (const reference of requested) {
    const milestone =
      rows.find(({ title }) => title === reference.value) ??
      (reference.quoted
        ? undefined
        : rows.find(({ iid, projectId }) => projectId !== null && String(iid) === reference.value))
    if (!milestone) continue
    const { iid, title, fullPath } = milestone
    const path = fullPath === null ? `/${project.fullPath}` : `/groups/${fullPath}`
    setResolved(reference, { url: url(`${path}/-/milestones/${iid}`), title: '', text: `%${title}` })
  }
}

/** Resolves issues, merge requests, labels and milestones of the referenced project, or else of the context project. */
export async function resolveInProjects(resolving: ResolutionContext, references: readonly Reference[]): Promise<void> {
  const kinds = new Set<Reference['kind']>(['issue', 'merge_request', 'label', 'milestone'])
  const byProject = Map.groupBy(
    references.filter(({ kind, group }) => kinds.has(kind) && group === undefined),
    ({ project }) => project?.toLowerCase(),
  )
  for (const [path, inProject] of [...byProject].slice(0, maxProjects)) {
    const project = path === undefined ? resolving.contextProject : await findVisibleProject(resolving.ctx, path)
    if (!project) continue
    for (const resolve of [issues, mergeRequests, labels, milestones]) await resolve(resolving, project, inProject)
  }
}
