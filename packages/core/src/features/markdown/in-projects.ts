import { readableIssues, readableMergeRequests } from '../../access/predicates.ts'
import { project as projectSubject } from '../../access/subjects.ts'
import { textColor } from '../../kernel/colors.ts'
import type { Context } from '../../kernel/context.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import { visible } from '../../policy.ts'
import type { Reference } from '../../ports/markdown/reference.ts'
import type { Project } from '../projects/project.ts'
import type { Resolving } from './resolver.ts'

/** Most projects that one text can look into; references to further ones stay text. */
const mostProjects = 100

const visibleProject = async (ctx: Context, path: string): Promise<Project | undefined> => {
  try {
    const place = await projectSubject.load(ctx, { project: path })
    return visible.project.holds(ctx.actor, place) ? place.project : undefined
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

const numbers = (references: readonly Reference[], kind: Reference['kind']) =>
  references.filter((one) => one.kind === kind && !one.quoted && /^[0-9]{1,10}$/.test(one.value))

const byNumber = (references: readonly Reference[]) => new Map(references.map((one) => [Number(one.value), one]))

const issues = async ({ ctx, url, found }: Resolving, project: Project, references: readonly Reference[]) => {
  const wanted = byNumber(numbers(references, 'issue'))
  if (!wanted.size) return
  const rows = await ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('issue.projectId', '=', project.id)
    .where('issue.iid', 'in', [...wanted.keys()])
    .where(readableIssues(ctx))
    .select(['issue.iid', 'issue.title'])
    .execute()
  for (const { iid, title } of rows) {
    found(wanted.get(iid) as Reference, { url: url(`/${project.fullPath}/-/issues/${iid}`), title })
  }
}

const mergeRequests = async ({ ctx, url, found }: Resolving, project: Project, references: readonly Reference[]) => {
  const wanted = byNumber(numbers(references, 'merge_request'))
  if (!wanted.size) return
  const rows = await ctx.db
    .selectFrom('mergeRequest')
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where('mergeRequest.projectId', '=', project.id)
    .where('mergeRequest.iid', 'in', [...wanted.keys()])
    .where(readableMergeRequests(ctx))
    .select(['mergeRequest.iid', 'mergeRequest.title'])
    .execute()
  for (const { iid, title } of rows) {
    found(wanted.get(iid) as Reference, { url: url(`/${project.fullPath}/-/merge_requests/${iid}`), title })
  }
}

/** The groups above a project, whose labels and milestones it can use. */
const above = (ctx: Context, { namespaceId }: Project) =>
  ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')

const labels = async ({ ctx, url, found }: Resolving, project: Project, references: readonly Reference[]) => {
  const wanted = references.filter(({ kind }) => kind === 'label')
  if (!wanted.length) return
  const ids = numbers(wanted, 'label').map(({ value }) => Number(value))
  const rows = await ctx.db
    .selectFrom('label')
    .where((eb) => eb.or([eb('projectId', '=', project.id), eb('groupId', 'in', above(ctx, project))]))
    .where((eb) =>
      eb.or([
        eb(
          'name',
          'in',
          wanted.map(({ value }) => value),
        ),
        eb('id', 'in', ids.length ? ids : [0]),
      ]),
    )
    .select(['id', 'name', 'color', 'description'])
    .execute()
  for (const reference of wanted) {
    const label =
      rows.find(({ name }) => name === reference.value) ??
      (reference.quoted ? undefined : rows.find(({ id }) => String(id) === reference.value))
    if (!label) continue
    found(reference, {
      url: url(`/${project.fullPath}/-/issues?label_name=${encodeURIComponent(label.name)}`),
      title: label.description ?? '',
      text: label.name,
      color: label.color,
      textColor: textColor(label.color),
    })
  }
}

const milestones = async ({ ctx, url, found }: Resolving, project: Project, references: readonly Reference[]) => {
  const wanted = references.filter(({ kind, group }) => kind === 'milestone' && group === undefined)
  if (!wanted.length) return
  const iids = numbers(wanted, 'milestone').map(({ value }) => Number(value))
  const rows = await ctx.db
    .selectFrom('milestone')
    .leftJoin('namespace', 'namespace.id', 'milestone.groupId')
    .where((eb) =>
      eb.or([eb('milestone.projectId', '=', project.id), eb('milestone.groupId', 'in', above(ctx, project))]),
    )
    .where((eb) =>
      eb.or([
        eb(
          'milestone.title',
          'in',
          wanted.map(({ value }) => value),
        ),
        eb('milestone.iid', 'in', iids.length ? iids : [0]),
      ]),
    )
    .select(['milestone.iid', 'milestone.title', 'milestone.projectId', 'namespace.fullPath'])
    .execute()
  for (const reference of wanted) {
    const milestone =
      rows.find(({ title }) => title === reference.value) ??
      (reference.quoted
        ? undefined
        : rows.find(({ iid, projectId }) => projectId !== null && String(iid) === reference.value))
    if (!milestone) continue
    const { iid, title, fullPath } = milestone
    const path = fullPath === null ? `/${project.fullPath}` : `/groups/${fullPath}`
    found(reference, { url: url(`${path}/-/milestones/${iid}`), title: '', text: `%${title}` })
  }
}

/** Issues, merge requests, labels and milestones: of the home project, or of the one that the reference names. */
export async function resolveInProjects(resolving: Resolving, references: readonly Reference[]): Promise<void> {
  const kinds = new Set<Reference['kind']>(['issue', 'merge_request', 'label', 'milestone'])
  const byProject = Map.groupBy(
    references.filter(({ kind, group }) => kinds.has(kind) && group === undefined),
    ({ project }) => project?.toLowerCase(),
  )
  for (const [path, inProject] of [...byProject].slice(0, mostProjects)) {
    const project = path === undefined ? resolving.home : await visibleProject(resolving.ctx, path)
    if (!project) continue
    for (const resolve of [issues, mergeRequests, labels, milestones]) await resolve(resolving, project, inProject)
  }
}
