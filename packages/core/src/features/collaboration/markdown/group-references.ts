import { findNamespace } from '../../../access/namespaces.ts'
import { group as groupSubject } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { isVisibleTo, loadIfVisible } from '../../../policy/visible.ts'
import type { Reference } from '../../../ports/markdown/reference.ts'
import { defined } from '../../../shared/defined.ts'
import { epicColumns } from '../../planning/epics/queries.ts'
import type { ResolutionContext } from './resolution-context.ts'

/** Maximum groups per text; references to further groups stay text. */
const maxGroups = 100

export const findVisibleGroup = (ctx: Context, ref: number | string): Promise<Subjects['group'] | undefined> =>
  loadIfVisible(ctx, groupSubject, { group: ref })

const epics = async (
  { ctx, url, setResolved }: ResolutionContext,
  subject: Subjects['group'],
  references: readonly Reference[],
) => {
  const requested = new Map(
    references.filter(({ kind }) => kind === 'epic').map((reference) => [Number(reference.value), reference]),
  )
  if (!requested.size || ctx.tier === 'free') return
  const rows = await ctx.db
    .selectFrom('epic')
    .where('groupId', '=', subject.group.id)
    .where('iid', 'in', [...requested.keys()])
    .select(epicColumns)
    .execute()
  for (const epic of rows) {
    const epicSubject = { kind: 'epic', group: subject.group, access: subject.access, epic } as const
    if (!isVisibleTo(ctx.actor, epicSubject)) continue
    const path = `/groups/${subject.group.fullPath}/-/epics/${epic.iid}`
    setResolved(defined(requested.get(epic.iid)), { url: url(path), title: epic.title })
  }
}

const milestones = async (
  { ctx, url, setResolved }: ResolutionContext,
  { group }: Subjects['group'],
  references: readonly Reference[],
) => {
  const requested = references.filter(({ kind }) => kind === 'milestone')
  if (!requested.length) return
  const rows = await ctx.db.selectFrom('milestone').where('groupId', '=', group.id).select(['iid', 'title']).execute()
  for (const reference of requested) {
    const milestone =
      rows.find(({ title }) => title === reference.value) ??
      (reference.quoted ? undefined : rows.find(({ iid }) => String(iid) === reference.value))
    if (!milestone) continue
    const path = `/groups/${group.fullPath}/-/milestones/${milestone.iid}`
    setResolved(reference, { url: url(path), title: '', text: `%${milestone.title}` })
  }
}

/** Resolves epics and milestones of the referenced group, or else of the group of the context project. */
export async function resolveInGroups(resolving: ResolutionContext, references: readonly Reference[]): Promise<void> {
  const { ctx, contextProject } = resolving
  const byGroup = Map.groupBy(
    references.filter(({ kind, group }) => kind === 'epic' || (kind === 'milestone' && group !== undefined)),
    ({ group }) => group?.toLowerCase(),
  )
  for (const [path, inGroup] of [...byGroup].slice(0, maxGroups)) {
    const own =
      path === undefined && contextProject ? (await findNamespace(ctx, contextProject.namespaceId))?.id : undefined
    const ref = path ?? own
    const subject = ref === undefined ? undefined : await findVisibleGroup(ctx, ref)
    if (!subject) continue
    await epics(resolving, subject, inGroup)
    if (path !== undefined) await milestones(resolving, subject, inGroup)
  }
}
