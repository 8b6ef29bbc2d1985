import type { ExpressionBuilder, Kysely } from 'kysely'
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
export const scopeOf = (subject: Subjects['project'] | Subjects['group'], includeAncestorGroups = true): LabelScope => {
  const depth = includeAncestorGroups ? everyAncestor : 0
  return subject.kind === 'project'
    ? { projectId: subject.project.id, namespaceId: subject.project.namespaceId, depth }
    : { projectId: 0, namespaceId: subject.group.id, depth }
}

const ownedBy = (db: Kysely<Database>, { projectId }: LabelScope) =>
  db.selectFrom('label').where('label.projectId', '=', projectId)

const inheritedBy = (db: Kysely<Database>, { namespaceId, depth }: LabelScope) =>
  db
    .selectFrom('label')
    .where('label.groupId', 'in', (eb) =>
      eb
        .selectFrom('namespaceLineage')
        .where('namespaceId', '=', namespaceId)
        .where('depth', '<=', depth)
        .select('ancestorId'),
    )

/**
 * The two kinds of labels as two arms of a union, never as an `or`: each arm is read from an index that is in order of
 * name already, so that a page costs its own rows and not those of the whole list.
 */
const inScope = (db: Kysely<Database>, scope: LabelScope) =>
  ownedBy(db, scope)
    .select(['label.id', 'label.name'])
    .unionAll(inheritedBy(db, scope).select(['label.id', 'label.name']))

type Seen = LabelScope & { readonly readerId: number }

/** A label as one reader of the project sees it: its columns, the project's priority and the reader's subscription. */
const asSeenBy =
  ({ projectId, readerId }: Seen) =>
  (eb: ExpressionBuilder<Database, 'label'>) =>
    [
      'label.id',
      'label.name',
      'label.color',
      'label.description',
      'label.projectId',
      eb
        .selectFrom('labelPriority')
        .whereRef('labelPriority.labelId', '=', 'label.id')
        .where('labelPriority.projectId', '=', projectId)
        .select('labelPriority.priority')
        .as('priority'),
      eb
        .selectFrom('labelSubscription')
        .whereRef('labelSubscription.labelId', '=', 'label.id')
        .where('labelSubscription.projectId', '=', projectId)
        .where('labelSubscription.userId', '=', readerId)
        .select('labelSubscription.userId')
        .as('subscriberId'),
    ] as const

const page = prepared((db, at: Seen & { limit: number; offset: number }) =>
  db
    .selectFrom(inScope(db, at).orderBy('name').orderBy('id').limit(at.limit).offset(at.offset).as('chosen'))
    .crossJoin('label')
    .whereRef('label.id', '=', 'chosen.id')
    .select(asSeenBy(at))
    .orderBy('chosen.name')
    .orderBy('chosen.id'),
)

const total = prepared((db, scope: LabelScope) =>
  db.selectNoFrom((eb) =>
    eb(
      ownedBy(db, scope).select((own) => own.fn.countAll<number>().as('count')),
      '+',
      inheritedBy(db, scope).select((own) => own.fn.countAll<number>().as('count')),
    ).as('total'),
  ),
)

const byId = prepared((db, at: Seen & { id: number }) =>
  db
    .selectFrom('label')
    .where('label.id', '=', at.id)
    .where((eb) =>
      eb.or([
        eb('label.projectId', '=', at.projectId),
        eb.exists(
          eb
            .selectFrom('namespaceLineage')
            .where('namespaceLineage.namespaceId', '=', at.namespaceId)
            .whereRef('namespaceLineage.ancestorId', '=', 'label.groupId')
            .where('namespaceLineage.depth', '<=', at.depth)
            .select('namespaceLineage.ancestorId'),
        ),
      ]),
    )
    .select(asSeenBy(at)),
)

const byName = prepared((db, at: Seen & { name: string }) =>
  db
    .selectFrom(
      ownedBy(db, at)
        .where('label.name', '=', at.name)
        .select('label.id')
        .unionAll(inheritedBy(db, at).where('label.name', '=', at.name).select('label.id'))
        .as('chosen'),
    )
    .crossJoin('label')
    .whereRef('label.id', '=', 'chosen.id')
    .select(asSeenBy(at)),
)

const idsNamed = prepared((db, at: LabelScope & { name: string }) =>
  ownedBy(db, at)
    .where('label.name', '=', at.name)
    .select('label.id')
    .unionAll(inheritedBy(db, at).where('label.name', '=', at.name).select('label.id')),
)

/** Whether a name is in use in the scope. */
export const isNameTaken = async (ctx: Context, scope: LabelScope, name: string): Promise<boolean> =>
  (await idsNamed(ctx, { ...scope, name })).length > 0

interface NewLabel {
  readonly projectId: number | null
  readonly groupId: number | null
  readonly name: string
  readonly color: string
  readonly description: string | null
}

const insert = prepared((db, { projectId, groupId, name, color, description, now }: NewLabel & { now: string }) =>
  db
    .insertInto('label')
    .values({ projectId, groupId, name, color, description, createdAt: now, updatedAt: now })
    .returning('id'),
)

/** Adds a label whose values were looked at before. Returns its id. */
export async function insertLabel(ctx: Context, label: NewLabel): Promise<number> {
  const [row] = await insert(ctx, { ...label, now: ctx.now })
  return (row as { id: number }).id
}

type LabelRow = Awaited<ReturnType<typeof page>>[number]

/** A row as its reader sees it. */
export const toLabel = (ctx: Context, row: LabelRow): Label => ({
  id: row.id,
  name: row.name,
  color: row.color,
  textColor: textColor(row.color),
  description: row.description,
  descriptionHtml: row.description ? ctx.ports.markdown.line(row.description) : '',
  subscribed: row.subscriberId !== null,
  priority: row.priority,
  isProjectLabel: row.projectId !== null,
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

/** A label by name only; the project's own one before one of a group above. */
export async function labelNamed(ctx: Context, scope: LabelScope, name: string): Promise<Label | undefined> {
  const rows = await byName(ctx, { ...scope, readerId: personId(ctx.actor), name })
  const row = rows.find(({ projectId }) => projectId !== null) ?? rows[0]
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
