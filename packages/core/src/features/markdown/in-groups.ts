import { group as groupSubject } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import { type Subjects, visible } from '../../policy.ts'
import type { Reference } from '../../ports/markdown/reference.ts'
import { epicColumns } from '../epics/queries.ts'
import { findNamespace } from '../groups/queries.ts'
import type { Resolving } from './resolver.ts'

/** Most groups that one text can look into; references to further ones stay text. */
const mostGroups = 100

export const visibleGroup = async (ctx: Context, ref: number | string): Promise<Subjects['group'] | undefined> => {
  try {
    const place = await groupSubject.load(ctx, { group: ref })
    return visible.group.holds(ctx.actor, place) ? place : undefined
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

const epics = async ({ ctx, url, found }: Resolving, place: Subjects['group'], references: readonly Reference[]) => {
  const wanted = new Map(references.filter(({ kind }) => kind === 'epic').map((one) => [Number(one.value), one]))
  if (!wanted.size || ctx.tier === 'free') return
  const rows = await ctx.db
    .selectFrom('epic')
    .where('groupId', '=', place.group.id)
    .where('iid', 'in', [...wanted.keys()])
    .select(epicColumns)
    .execute()
  for (const epic of rows) {
    const subject = { kind: 'epic', group: place.group, access: place.access, epic } as const
    if (!visible.epic.holds(ctx.actor, subject)) continue
    const path = `/groups/${place.group.fullPath}/-/epics/${epic.iid}`
    found(wanted.get(epic.iid) as Reference, { url: url(path), title: epic.title })
  }
}

const milestones = async (
  { ctx, url, found }: Resolving,
  { group }: Subjects['group'],
  references: readonly Reference[],
) => {
  const wanted = references.filter(({ kind }) => kind === 'milestone')
  if (!wanted.length) return
  const rows = await ctx.db.selectFrom('milestone').where('groupId', '=', group.id).select(['iid', 'title']).execute()
  for (const reference of wanted) {
    const milestone =
      rows.find(({ title }) => title === reference.value) ??
      (reference.quoted ? undefined : rows.find(({ iid }) => String(iid) === reference.value))
    if (!milestone) continue
    const path = `/groups/${group.fullPath}/-/milestones/${milestone.iid}`
    found(reference, { url: url(path), title: '', text: `%${milestone.title}` })
  }
}

/** Epics, and milestones of groups: of the group that the reference names, or of the one that holds the home project. */
export async function resolveInGroups(resolving: Resolving, references: readonly Reference[]): Promise<void> {
  const { ctx, home } = resolving
  const byGroup = Map.groupBy(
    references.filter(({ kind, group }) => kind === 'epic' || (kind === 'milestone' && group !== undefined)),
    ({ group }) => group?.toLowerCase(),
  )
  for (const [path, inGroup] of [...byGroup].slice(0, mostGroups)) {
    const own = path === undefined && home ? (await findNamespace(ctx, home.namespaceId))?.id : undefined
    const ref = path ?? own
    const place = ref === undefined ? undefined : await visibleGroup(ctx, ref)
    if (!place) continue
    await epics(resolving, place, inGroup)
    if (path !== undefined) await milestones(resolving, place, inGroup)
  }
}
