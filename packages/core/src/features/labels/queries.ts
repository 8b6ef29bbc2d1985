import type { Kysely } from 'kysely'
import type { Database } from '../../database.ts'
import { personId } from '../../kernel/actor.ts'
import { textColor } from '../../kernel/colors.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Page, window } from '../../kernel/paging.ts'
import { prepared } from '../../kernel/prepared.ts'
import type { Subjects } from '../../policy.ts'
import type { Label } from './label.ts'

/** Where labels are looked for: a project's own (0 for none), and those of a group and its ancestors up to a depth. */
export interface LabelScope {
  readonly projectId: number
  readonly namespaceId: number
  /** 0 takes only the direct group. */
  readonly depth: number
}

const everyAncestor = 1_000

/** The labels that can be used in a project or a group: its own and those of the groups above. */
export const scopeOf = (
  subject: Subjects['project'] | Subjects['group'],
  includeAncestorGroups = true,
): LabelScope => {
  const depth = includeAncestorGroups ? everyAncestor : 0
  return subject.kind === 'project'
    ? { projectId: subject.project.id, namespaceId: subject.project.namespaceId, depth }
    : { projectId: 0, namespaceId: subject.group.id, depth }
}

const inScope = (db: Kysely<Database>, { projectId, namespaceId, depth }: LabelScope) =>
  db.selectFrom('label').where((eb) =>
    eb.or([
      eb('label.projectId', '=', projectId),
      eb(
        'label.groupId',
        'in',
        db
          .selectFrom('namespaceLineage')
          .where('namespaceId', '=', namespaceId)
          .where('depth', '<=', depth)
          .select('ancestorId'),
      ),
    ]),
  )

type Seen = LabelScope & { readonly readerId: number }

const asSeen = (db: Kysely<Database>, scope: Seen) =>
  inScope(db, scope)
    .leftJoin('labelPriority', (join) =>
      join.onRef('labelPriority.labelId', '=', 'label.id').on('labelPriority.projectId', '=', scope.projectId),
    )
    .leftJoin('labelSubscription', (join) =>
      join
        .onRef('labelSubscription.labelId', '=', 'label.id')
        .on('labelSubscription.projectId', '=', scope.projectId)
        .on('labelSubscription.userId', '=', scope.readerId),
    )
    .select([
      'label.id',
      'label.name',
      'label.color',
      'label.description',
      'label.projectId',
      'labelPriority.priority',
      'labelSubscription.userId as subscriberId',
    ])

const page = prepared((db, at: Seen & { limit: number; offset: number }) =>
  asSeen(db, at).orderBy('label.name').orderBy('label.id').limit(at.limit).offset(at.offset),
)

const total = prepared((db, scope: LabelScope) =>
  inScope(db, scope).select((eb) => eb.fn.countAll<number>().as('total')),
)

const byId = prepared((db, at: Seen & { id: number }) => asSeen(db, at).where('label.id', '=', at.id))

const byName = prepared((db, at: Seen & { name: string }) =>
  asSeen(db, at).where('label.name', '=', at.name).orderBy('label.projectId', 'desc').limit(1),
)

type LabelRow = Awaited<ReturnType<typeof page>>[number]

const toLabel = (ctx: Context, { subscriberId, projectId, ...row }: LabelRow): Label => ({
  id: row.id,
  name: row.name,
  color: row.color,
  textColor: textColor(row.color),
  description: row.description,
  descriptionHtml: row.description ? ctx.ports.markdown.line(row.description) : '',
  subscribed: subscriberId !== null,
  priority: row.priority,
  isProjectLabel: projectId !== null,
})

/** A page of the labels in scope, by name. */
export async function labelPage(
  ctx: Context,
  scope: LabelScope,
  input: { page: number; perPage: number },
): Promise<Page<Label>> {
  const { page: number, perPage, limit, offset } = window(input)
  const [counted] = await total(ctx, scope)
  const rows = await page(ctx, { ...scope, readerId: personId(ctx.actor), limit, offset })
  const items = rows.map((row) => toLabel(ctx, row))
  return { items, page: number, perPage, total: (counted as { total: number }).total }
}

/** A label by name only. */
export async function labelNamed(ctx: Context, scope: LabelScope, name: string): Promise<Label | undefined> {
  const [row] = await byName(ctx, { ...scope, readerId: personId(ctx.actor), name })
  return row && toLabel(ctx, row)
}

/** A label by id, or else by name: a number that is no id may still be a name. */
export async function findLabel(ctx: Context, scope: LabelScope, ref: number | string): Promise<Label> {
  const readerId = personId(ctx.actor)
  const [row] = typeof ref === 'number' ? await byId(ctx, { ...scope, readerId, id: ref }) : []
  const label = row ? toLabel(ctx, row) : await labelNamed(ctx, scope, String(ref))
  if (!label) throw notFound('Label')
  return label
}
