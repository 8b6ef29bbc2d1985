import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Database } from '../../database.ts'
import { personId } from '../../kernel/actor.ts'
import { textColor } from '../../kernel/colors.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { lengthLimit, type Page, pageFrom } from '../../kernel/paging.ts'
import { eachShape, inserting, prepared } from '../../kernel/prepared.ts'
import { after, type Soon } from '../../kernel/store.ts'
import type { Subjects } from '../../policy.ts'
import type { Images } from '../../ports/markdown/attribute-rules.ts'
import { imageProxy } from '../settings/image-proxy.ts'
import type { Label } from './label.ts'

/** Where labels are looked for: a project's own (0 for none), and those of a namespace and the nearest of its ancestors. */
export interface LabelScope {
  readonly projectId: number
  readonly namespaceId: number
  /** How many namespaces: 1 takes only the direct one. */
  readonly levels: number
}

const levelsOf = (path: string) => {
  let levels = 1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) levels++
  return levels
}

/** The labels that can be used in a project or a group: its own and those of the groups above. */
export const scopeOf = (subject: Subjects['project'] | Subjects['group'], includeAncestorGroups = true): LabelScope => {
  const [projectId, namespaceId, levels] =
    subject.kind === 'project'
      ? [subject.project.id, subject.project.namespaceId, levelsOf(subject.project.fullPath) - 1]
      : [0, subject.group.id, levelsOf(subject.group.fullPath)]
  return { projectId, namespaceId, levels: includeAncestorGroups ? levels : 1 }
}

const ownedBy = (db: Kysely<Database>, { projectId }: LabelScope) =>
  db.selectFrom('label').where('label.projectId', '=', projectId)

/** From the few groups to their labels: the cross join keeps this order, a list of the groups would first have to be made. */
const inheritedBy = (db: Kysely<Database>, { namespaceId, levels }: LabelScope) =>
  db
    .selectFrom('namespaceLineage')
    .crossJoin('label')
    .whereRef('label.groupId', '=', 'namespaceLineage.ancestorId')
    .where('namespaceLineage.namespaceId', '=', namespaceId)
    .where('namespaceLineage.depth', '<', levels)

/**
 * The labels of the project and of each namespace as arms of a union, never as an `or`: each arm is read from an index that
 * is in order of name already, so that a page costs its own rows and not those of the whole list.
 */
const apart = (db: Kysely<Database>, scope: LabelScope, levels: number) => {
  const { namespaceId } = scope
  const at = (depth: number) =>
    db
      .selectFrom('label')
      .where('label.groupId', '=', (eb) =>
        eb
          .selectFrom('namespaceLineage')
          .where('namespaceId', '=', namespaceId)
          .where('depth', '=', eb.lit(depth))
          .select('ancestorId'),
      )
  return [ownedBy(db, scope), ...Array.from({ length: levels }, (_, depth) => at(depth))]
}

/** The same with those of all namespaces as one arm, which is sorted first: quicker while there are few of them. */
const together = (db: Kysely<Database>, scope: LabelScope) => [ownedBy(db, scope), inheritedBy(db, scope)]

/** Inherited labels that are sorted for a page: as many as a page can hold. */
const few = 100

type Seen = LabelScope & { readonly readerId: number }

/** What labels are chosen by. */
const key = ['label.id', 'label.name'] as const

/** Chosen labels as one reader of the project sees them: with the project's priority and the reader's subscription. */
const asSeenBy = (
  db: Kysely<Database>,
  { projectId, readerId }: Seen,
  chosen: SelectQueryBuilder<Database, 'label', { id: number; name: string }>,
) =>
  db
    .selectFrom(chosen.as('chosen'))
    .crossJoin('label')
    .leftJoin('labelPriority', (join) =>
      join.onRef('labelPriority.labelId', '=', 'label.id').on('labelPriority.projectId', '=', projectId),
    )
    .leftJoin('labelSubscription', (join) =>
      join
        .onRef('labelSubscription.labelId', '=', 'label.id')
        .on('labelSubscription.projectId', '=', projectId)
        .on('labelSubscription.userId', '=', readerId),
    )
    .whereRef('label.id', '=', 'chosen.id')
    .select([
      'label.id',
      'label.name',
      'label.color',
      'label.description',
      'label.projectId',
      'labelPriority.priority',
      'labelSubscription.userId as subscriberId',
    ])

/** @param levels how many namespaces there are to keep apart; 0 takes them together */
const page = eachShape((levels: number) =>
  prepared((db, at: Seen & { limit: number; offset: number }) => {
    const inScope = (levels ? apart(db, at, levels) : together(db, at))
      .map((arm) => arm.select(key))
      .reduce((union, arm) => union.unionAll(arm))
    const chosen = inScope.orderBy('name').orderBy('id').limit(at.limit).offset(at.offset)
    return asSeenBy(db, at, chosen).orderBy('chosen.name').orderBy('chosen.id')
  }),
)

/** How many labels there are, a project's own and the others, each counted up to `most`. */
const sizes = prepared((db, at: LabelScope & { most: number }) => {
  const size = (labels: SelectQueryBuilder<Database, 'label', object>) =>
    db
      .selectFrom(
        labels
          .select((eb) => eb.lit(1).as('one'))
          .limit(at.most)
          .as('counted'),
      )
      .select((eb) => eb.fn.countAll<number>().as('total'))
  return db.selectNoFrom([size(ownedBy(db, at)).as('own'), size(inheritedBy(db, at)).as('inherited')])
})

const byId = prepared((db, at: Seen & { id: number }) => {
  const inScope = db
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
            .where('namespaceLineage.depth', '<', at.levels)
            .select('namespaceLineage.ancestorId'),
        ),
      ]),
    )
  return asSeenBy(db, at, inScope.select(key))
})

const byName = prepared((db, at: Seen & { name: string }) => {
  const named = together(db, at)
    .map((arm) => arm.where('label.name', '=', at.name).select(key))
    .reduce((union, arm) => union.unionAll(arm))
  return asSeenBy(db, at, named)
})

const idsNamedAbove = prepared((db, at: LabelScope & { name: string }) =>
  inheritedBy(db, at).where('label.name', '=', at.name).select('label.id'),
)

interface NewLabel {
  readonly projectId: number | null
  readonly groupId: number | null
  readonly name: string
  readonly color: string
  readonly description: string | null
}

const insert = inserting((db, { projectId, groupId, name, color, description, now }: NewLabel & { now: string }) =>
  db
    .insertInto('label')
    .values({ projectId, groupId, name, color, description, createdAt: now, updatedAt: now })
    .onConflict((taken) => taken.doNothing()),
)

/**
 * Adds a label whose values were looked at before. Gives its id; nothing where its name is in use in a namespace of the scope
 * or, which the insert itself tells, by another label of its owner.
 */
export const insertLabel = (
  ctx: Context,
  { projectId, namespaceId, levels }: LabelScope,
  label: NewLabel,
): Soon<number | undefined> =>
  after(idsNamedAbove(ctx, { projectId, namespaceId, levels, name: label.name }), ({ length }) =>
    length > 0 ? undefined : insert(ctx, { ...label, now: ctx.now }),
  )

type LabelRow = Awaited<ReturnType<ReturnType<typeof page>>>[number]

/** A row as its reader sees it. */
export const toLabel = (ctx: Context, row: LabelRow, images: Images | undefined): Label => ({
  id: row.id,
  name: row.name,
  color: row.color,
  textColor: textColor(row.color),
  description: row.description,
  descriptionHtml: row.description ? ctx.ports.markdown.line(row.description, images && { images }) : '',
  subscribed: row.subscriberId !== null,
  priority: row.priority,
  isProjectLabel: row.projectId !== null,
})

/** A page of the labels in scope, by name. */
export function labelPage(
  ctx: Context,
  { projectId, namespaceId, levels }: LabelScope,
  input: { page: number; perPage: number },
): Soon<Page<Label>> {
  const readerId = personId(ctx.actor)
  return after(sizes(ctx, { projectId, namespaceId, levels, most: lengthLimit }), ([size]) => {
    const { own, inherited } = size as { own: unknown; inherited: unknown }
    const rows = page(Number(inherited) > few ? levels : 0)
    const found = pageFrom(input, {
      find: ({ limit, offset }) => rows(ctx, { projectId, namespaceId, levels, readerId, limit, offset }),
      count: Math.min(Number(own) + Number(inherited), lengthLimit),
    })
    return after(found, (labels) =>
      after(imageProxy(ctx), (images) => ({ ...labels, items: labels.items.map((row) => toLabel(ctx, row, images)) })),
    )
  })
}

/** A label by name only; the project's own one before one of a group above. */
export async function labelNamed(ctx: Context, scope: LabelScope, name: string): Promise<Label | undefined> {
  const rows = await byName(ctx, { ...scope, readerId: personId(ctx.actor), name })
  const row = rows.find(({ projectId }) => projectId !== null) ?? rows[0]
  return row && toLabel(ctx, row, await imageProxy(ctx))
}

/** A label by id, or else by name: a number that is no id may still be a name. */
export async function findLabel(ctx: Context, scope: LabelScope, ref: number | string): Promise<Label> {
  const readerId = personId(ctx.actor)
  const [row] = typeof ref === 'number' ? await byId(ctx, { ...scope, readerId, id: ref }) : []
  const label = row ? toLabel(ctx, row, await imageProxy(ctx)) : await labelNamed(ctx, scope, String(ref))
  if (!label) throw notFound('Label')
  return label
}
