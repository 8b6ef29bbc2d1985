import * as v from 'valibot'
import { container, group, project, projectAndGroup } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne, exactlyOne } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paging } from '../../kernel/paging.ts'
import type { Soon } from '../../kernel/store.ts'
import { type Subjects, visible } from '../../policy.ts'
import { imageProxy } from '../settings/image-proxy.ts'
import { withCounts } from './counts.ts'
import { cleanLabel, labelReference, Priority } from './inputs.ts'
import { type Label, noCounts } from './label.ts'
import { promoteLabel } from './promote.ts'
import { findLabel, insertLabel, type LabelScope, labelNamed, labelPage, scopeOf, toLabel } from './queries.ts'

type Container = Subjects['project'] | Subjects['group']

interface LabelRef {
  readonly label?: number | string | undefined
  readonly name?: string | undefined
}

const oneOf = async (ctx: Context, scope: LabelScope, { label, name }: LabelRef): Promise<Label> => {
  const found = label === undefined ? await labelNamed(ctx, scope, name as string) : await findLabel(ctx, scope, label)
  if (!found) throw notFound('Label')
  return found
}

/** A label that the container owns itself; one of a group above is missing here. */
const ownLabel = async (ctx: Context, subject: Container, ref: LabelRef): Promise<Label> => {
  const label = await oneOf(ctx, scopeOf(subject, false), ref)
  if (subject.kind === 'project' && !label.isProjectLabel) throw notFound('Label')
  return label
}

const counted = async (ctx: Context, label: Label): Promise<Label> => (await withCounts(ctx, [label]))[0] as Label

const countedPage = async (ctx: Context, labels: Soon<Page<Label>>): Promise<Page<Label>> => {
  const page = await labels
  return { ...page, items: await withCounts(ctx, page.items) }
}

const setPriority = async (ctx: Context, labelId: number, projectId: number, priority: number | null) => {
  if (priority === null) {
    await ctx.db.deleteFrom('labelPriority').where('labelId', '=', labelId).where('projectId', '=', projectId).execute()
    return
  }
  await ctx.db
    .insertInto('labelPriority')
    .values({ labelId, projectId, priority })
    .onConflict((key) => key.columns(['labelId', 'projectId']).doUpdateSet({ priority }))
    .execute()
}

const refusePriorityOfGroup = (subject: Container, priority: unknown) => {
  if (subject.kind === 'group' && priority !== undefined && priority !== null) {
    throw invalid({ priority: ['belongs to a project: set it there'] })
  }
}

/** Says why a new name cannot be used. A group is named only to those who can see it. */
const refuseTakenName = async (ctx: Context, subject: Container, name: string, own: Label) => {
  const taken = await labelNamed(ctx, scopeOf(subject), name)
  if (!taken || taken.id === own.id) return
  if (taken.isProjectLabel === own.isProjectLabel) throw invalid({ title: ['has already been taken'] })
  const where = await nameIfSeen(ctx, taken.id)
  throw invalid({ title: [`already exists at group level${where}. Please choose another one.`] })
}

/** ` for Acme`, to those who can see the group that owns the label. */
const nameIfSeen = async (ctx: Context, labelId: number): Promise<string> => {
  const owner = await ctx.db.selectFrom('label').where('id', '=', labelId).select('groupId').executeTakeFirstOrThrow()
  const place = await group.load(ctx, { group: owner.groupId as number })
  return visible.group.holds(ctx.actor, place) ? ` for ${place.group.fullName}` : ''
}

const subscription = async (ctx: Context, projectId: number, ref: LabelRef, subject: Subjects['project']) => {
  const label = await oneOf(ctx, scopeOf(subject), ref)
  return { label: await counted(ctx, label), userId: ctx.actor.kind === 'user' ? ctx.actor.id : undefined, projectId }
}

const reference = exactlyOne<LabelRef>('label', 'name')

export const labels = {
  /**
   * Labels that can be used in a project or a group, by name: its own and those of the groups above.
   * `includeAncestorGroups: false` still includes the project's direct group.
   */
  list: query({
    on: container,
    can: 'label.read',
    input: {
      ...paging,
      withCounts: v.optional(v.boolean(), false),
      includeAncestorGroups: v.optional(v.boolean(), true),
    },
    run(ctx, input, subject) {
      const found = labelPage(ctx, scopeOf(subject, input.includeAncestorGroups), input)
      return input.withCounts ? countedPage(ctx, found) : found
    },
  }),

  /** One label, by id or name. */
  get: query({
    on: container,
    can: 'label.read',
    input: { ...labelReference, includeAncestorGroups: v.optional(v.boolean(), true) },
    rules: [reference],
    run: async (ctx, { includeAncestorGroups, ...ref }, subject) =>
      counted(ctx, await oneOf(ctx, scopeOf(subject, includeAncestorGroups), ref)),
  }),

  /** Adds a label. Its name must be new here and in all groups above; a CSS colour name becomes its hexadecimal form. */
  create: command({
    on: container,
    can: 'label.manage',
    input: {
      name: v.string(),
      color: v.string(),
      description: v.optional(v.nullable(v.string()), null),
      priority: v.optional(Priority),
    },
    async run(ctx, input, subject) {
      const { description, priority } = input
      const { name, color } = cleanLabel(input) as { name: string; color: string }
      refusePriorityOfGroup(subject, priority)
      const projectId = subject.kind === 'project' ? subject.project.id : null
      const groupId = subject.kind === 'project' ? null : subject.group.id
      const id = await insertLabel(ctx, scopeOf(subject), { projectId, groupId, name, color, description })
      if (id === undefined) throw conflict('Label already exists')
      if (subject.kind === 'project' && priority != null) await setPriority(ctx, id, subject.project.id, priority)
      // Nobody has subscribed to it and nothing carries it: all that there is to know is known.
      const row = { id, projectId, name, color, description, priority: priority ?? null, subscriberId: null }
      const label = { ...toLabel(ctx, row, await imageProxy(ctx)), ...noCounts }
      await ctx.emit('label.created', { label, projectId, groupId })
      return label
    },
  }),

  /** Changes a label. At least one change is required; `priority: null` removes the priority. */
  update: command({
    on: container,
    can: 'label.manage',
    input: {
      ...labelReference,
      newName: v.optional(v.string()),
      color: v.optional(v.string()),
      description: v.optional(v.nullable(v.string())),
      priority: v.optional(Priority),
    },
    rules: [reference, atLeastOne('newName', 'color', 'description', 'priority')],
    async run(ctx, { label: ref, name: byName, newName, color: newColor, description, priority }, subject) {
      const own = await ownLabel(ctx, subject, { label: ref, name: byName })
      const { name, color } = cleanLabel({ name: newName, color: newColor })
      refusePriorityOfGroup(subject, priority)
      if (name !== undefined) await refuseTakenName(ctx, subject, name, own)
      await ctx.db
        .updateTable('label')
        .set({ name, color, description, updatedAt: ctx.now })
        .where('id', '=', own.id)
        .execute()
      if (subject.kind === 'project' && priority !== undefined) {
        await setPriority(ctx, own.id, subject.project.id, priority)
      }
      const label = await counted(ctx, await findLabel(ctx, scopeOf(subject), own.id))
      await ctx.emit('label.updated', { label, before: own })
      return label
    },
  }),

  /** Removes a label, and takes it off everything that carries it. */
  remove: command({
    on: container,
    can: 'label.manage',
    input: labelReference,
    rules: [reference],
    async run(ctx, ref, subject) {
      const label = await ownLabel(ctx, subject, ref)
      await ctx.db.deleteFrom('label').where('id', '=', label.id).execute()
      await ctx.emit('label.removed', { label })
    },
  }),

  /**
   * Makes a project's label a label of its group and merges all labels of the same name in the projects below that group
   * into it. The id changes.
   */
  promote: command({
    on: projectAndGroup,
    can: 'label.promote',
    input: labelReference,
    rules: [reference],
    async run(ctx, ref, subject) {
      const label = await oneOf(ctx, scopeOf(subject), ref)
      const id = await promoteLabel(ctx, subject.project, label)
      const promoted = await counted(ctx, await findLabel(ctx, scopeOf(subject), id))
      await ctx.emit('label.promoted', { label: promoted, before: label })
      return promoted
    },
  }),

  /** Subscribes the caller to a label in this project. `changed` is false when they already were. */
  subscribe: command({
    on: project,
    can: 'label.subscribe',
    input: labelReference,
    rules: [reference],
    async run(ctx, ref, subject) {
      const { label, userId, projectId } = await subscription(ctx, subject.project.id, ref, subject)
      if (label.subscribed || userId === undefined) return { changed: false, label }
      await ctx.db.insertInto('labelSubscription').values({ labelId: label.id, projectId, userId }).execute()
      return { changed: true, label: { ...label, subscribed: true } }
    },
  }),

  /** Ends the caller's subscription. `changed` is false when there was none. */
  unsubscribe: command({
    on: project,
    can: 'label.subscribe',
    input: labelReference,
    rules: [reference],
    async run(ctx, ref, subject) {
      const { label, userId, projectId } = await subscription(ctx, subject.project.id, ref, subject)
      if (!label.subscribed || userId === undefined) return { changed: false, label }
      await ctx.db
        .deleteFrom('labelSubscription')
        .where('labelId', '=', label.id)
        .where('projectId', '=', projectId)
        .where('userId', '=', userId)
        .execute()
      return { changed: true, label: { ...label, subscribed: false } }
    },
  }),
}
