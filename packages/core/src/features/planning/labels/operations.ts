import * as v from 'valibot'
import { container, group, projectAndGroup, toPlaceKey } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, exactlyOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { isVisibleTo } from '../../../policy/visible.ts'
import { defined } from '../../../shared/defined.ts'
import { getLineOptions } from '../../administration/settings/image-proxy.ts'
import { addCounts } from './counts.ts'
import { LabelDescription, labelReferenceInput, Priority, parseLabelInput } from './inputs.ts'
import { type Label, type LabelSubscription, zeroCounts } from './label.ts'
import { insertLabel } from './mutations.ts'
import { promoteLabel } from './promote.ts'
import {
  findLabel,
  findLabelBelow,
  findLabelByName,
  isNameTaken,
  type LabelScope,
  searchLabels,
  subscriptionProjectId,
  toLabel,
  toLabelScope,
} from './queries.ts'

type Container = Subjects['project'] | Subjects['group']

interface LabelReference {
  readonly label?: number | string | undefined
  readonly name?: string | undefined
}

const getLabel = async (ctx: Context, scope: LabelScope, { label, name }: LabelReference): Promise<Label> => {
  if (label !== undefined) return findLabel(ctx, scope, label)
  const named = await findLabelByName(ctx, scope, defined(name))
  if (!named) throw notFound('Label')
  return named
}

/** A label of the project or group itself; labels of groups above are not found. */
const getOwnLabel = async (ctx: Context, subject: Container, ref: LabelReference): Promise<Label> => {
  const label = await getLabel(ctx, toLabelScope(subject, false), ref)
  if (subject.kind === 'project' && !label.isProjectLabel) throw notFound('Label')
  return label
}

const addCountsToLabel = async (ctx: Context, label: Label): Promise<Label> =>
  defined((await addCounts(ctx, [label]))[0])

const setPriority = async (ctx: Context, labelId: number, projectId: number, priority: number | null) => {
  if (priority === null) {
    await ctx.db.deleteFrom('labelPriority').where('labelId', '=', labelId).where('projectId', '=', projectId).execute()
    return
  }
  await ctx.db
    .insertInto('labelPriority')
    .values({ labelId, projectId, priority } satisfies CompleteRow<'labelPriority'>)
    .onConflict((key) => key.columns(['labelId', 'projectId']).doUpdateSet({ priority }))
    .execute()
}

const assertNoGroupPriority = (subject: Container, priority: unknown) => {
  if (subject.kind === 'group' && priority !== undefined && priority !== null) {
    throw invalid({ priority: ['belongs to a project: set it there'] })
  }
}

/** Throws if a new name is taken in scope. The error contains the name of a group only if the current user can see it. */
const assertNameAvailable = async (ctx: Context, subject: Container, name: string, own: Label) => {
  const taken = await findLabelByName(ctx, toLabelScope(subject), name)
  if (!taken || taken.id === own.id) return
  if (taken.isProjectLabel === own.isProjectLabel) throw invalid({ title: ['has already been taken'] })
  const suffix = await formatVisibleGroupName(ctx, taken.id)
  throw invalid({ title: [`already exists at group level${suffix}. Please choose another one.`] })
}

/** ` for Acme` if the current user can see the group of the label, else empty. */
const formatVisibleGroupName = async (ctx: Context, labelId: number): Promise<string> => {
  const owner = await ctx.db.selectFrom('label').where('id', '=', labelId).select('groupId').executeTakeFirstOrThrow()
  const subject = await group.load(ctx, { group: defined(owner.groupId) })
  return isVisibleTo(ctx.actor, subject) ? ` for ${subject.group.fullName}` : ''
}

/** The label and, unless the caller is anonymous or the host, the user to subscribe. */
const loadSubscription = async (ctx: Context, subject: Container, ref: LabelReference) => {
  const label = await addCountsToLabel(ctx, await getLabel(ctx, toLabelScope(subject), ref))
  return { label, userId: ctx.actor.kind === 'user' ? ctx.actor.id : undefined }
}

const ancestorsInput = {
  /** Whether to include labels of all groups above; false still includes the direct group of a project. Default: true. */
  includeAncestorGroups: v.optional(v.boolean(), true),
}

const belowInput = {
  /** Whether to include labels of the subgroups of a group. Default: false. */
  includeDescendantGroups: v.optional(v.boolean(), false),
  /** Whether to leave out labels of the projects of a group, and of those of its subgroups if these are included. Default: true. */
  onlyGroupLabels: v.optional(v.boolean(), true),
}

const exactlyOneReference = exactlyOne<LabelReference>('label', 'name')

export const labels = {
  /** Lists the labels that can be used in a project or a group, ordered by name: its own and those of the groups above. */
  list: query({
    on: container,
    can: 'label.read',
    input: {
      ...pagingEntries,
      /** Whether to include the numbers of issues and merge requests. Default: false. */
      withCounts: v.optional(v.boolean(), false),
      ...ancestorsInput,
      ...belowInput,
      /** Words that the name or the description contains, in any order; at most 1,024 characters. */
      search: v.optional(v.string()),
    },
    async run(ctx, input, subject) {
      const scope = toLabelScope(subject, input.includeAncestorGroups)
      const page = await searchLabels(ctx, scope, input)
      return input.withCounts ? { ...page, items: await addCounts(ctx, page.items) } : page
    },
  }),

  /** Gets a label of a project, a group or the groups above, with the numbers of issues and merge requests. */
  get: query({
    on: container,
    can: 'label.read',
    input: { ...labelReferenceInput, ...ancestorsInput, ...belowInput },
    rules: [exactlyOneReference],
    async run(ctx, { includeAncestorGroups, label, name, ...below }, subject) {
      const scope = toLabelScope(subject, includeAncestorGroups)
      const found = await findLabelBelow(ctx, scope, label ?? defined(name), below)
      return addCountsToLabel(ctx, found ?? (await getLabel(ctx, scope, { label, name })))
    },
  }),

  /**
   * Creates a label in a project or a group.
   *
   * @throws PlatformError `conflict` when the name is taken here or in a group above, `invalid` for an invalid name or color
   */
  create: command({
    on: container,
    can: 'label.manage',
    serializes: 'project',
    input: {
      /**
       * Unique in the project or group and the groups above: not blank, without commas, at most 255 characters. HTML tags
       * are removed.
       */
      name: v.string(),
      /** `#` and 3 or 6 hexadecimal digits, or a CSS color name, which is converted. */
      color: v.string(),
      /** One line of Markdown; null (default) for none. */
      description: v.optional(v.nullable(LabelDescription), null),
      /** Position in the prioritized labels of the project, from 0; null (default) for none. Not allowed for groups. */
      priority: v.optional(Priority),
    },
    async run(ctx, input, subject) {
      const { description, priority } = input
      const { name, color } = parseLabelInput(input) as { name: string; color: string }
      assertNoGroupPriority(subject, priority)
      const projectId = subject.kind === 'project' ? subject.project.id : null
      const groupId = subject.kind === 'project' ? null : subject.group.id
      if (await isNameTaken(ctx, toLabelScope(subject), name)) throw conflict('Label already exists')
      const id = await insertLabel(ctx, { projectId, groupId, name, color, description })
      if (projectId !== null && priority != null) await setPriority(ctx, id, projectId, priority)
      const row = { id, name, color, description, projectId, priority: priority ?? null, subscriberId: null }
      const label = { ...toLabel(ctx, row, await getLineOptions(ctx)), ...zeroCounts }
      await ctx.emit('label.created', { label, projectId, groupId })
      return label
    },
  }),

  /**
   * Updates a label of the project or group itself; omitted fields stay unchanged, at least one is required.
   *
   * @throws PlatformError `invalid` for an invalid color or an invalid or taken name
   */
  update: command({
    on: container,
    can: 'label.manage',
    serializes: 'project',
    input: {
      ...labelReferenceInput,
      /**
       * Unique in the project or group and the groups above: not blank, without commas, at most 255 characters. HTML tags
       * are removed.
       */
      newName: v.optional(v.string()),
      /** `#` and 3 or 6 hexadecimal digits, or a CSS color name, which is converted. */
      color: v.optional(v.string()),
      /** One line of Markdown; null for none. */
      description: v.optional(v.nullable(LabelDescription)),
      /** Position in the prioritized labels of the project, from 0; null removes it. Not allowed for groups. */
      priority: v.optional(Priority),
    },
    rules: [exactlyOneReference, atLeastOne('newName', 'color', 'description', 'priority')],
    async run(ctx, { label: ref, name: byName, newName, color: newColor, description, priority }, subject) {
      const own = await getOwnLabel(ctx, subject, { label: ref, name: byName })
      const { name, color } = parseLabelInput({ name: newName, color: newColor })
      assertNoGroupPriority(subject, priority)
      if (name !== undefined) await assertNameAvailable(ctx, subject, name, own)
      const isChanged = await updateChanged(ctx, 'label', own.id, { name, color, description })
      const isMoved = subject.kind === 'project' && priority !== undefined && priority !== own.priority
      if (isMoved) await setPriority(ctx, own.id, subject.project.id, priority)
      const label = await addCountsToLabel(ctx, await findLabel(ctx, toLabelScope(subject), own.id))
      if (isChanged || isMoved) await ctx.emit('label.updated', { label, before: own })
      return label
    },
  }),

  /** Removes a label of the project or group itself, also from issues and merge requests. */
  remove: command({
    on: container,
    can: 'label.manage',
    serializes: 'project',
    input: labelReferenceInput,
    rules: [exactlyOneReference],
    async run(ctx, ref, subject) {
      const label = await getOwnLabel(ctx, subject, ref)
      const { updatedAt } = await ctx.db
        .deleteFrom('label')
        .where('id', '=', label.id)
        .returning('updatedAt')
        .executeTakeFirstOrThrow()
      assertUnmodified(ctx, updatedAt)
      await ctx.emit('label.removed', { label })
    },
  }),

  /**
   * Makes a project label a label of the project's group, with a new id, and merges all labels of the same name below that
   * group into it. An existing group label keeps its id, color and description.
   *
   * @throws PlatformError `invalid` for a group label, or a project that is not in a group
   */
  promote: command({
    on: projectAndGroup,
    can: 'label.promote',
    input: labelReferenceInput,
    rules: [exactlyOneReference],
    async run(ctx, ref, subject) {
      const label = await getLabel(ctx, toLabelScope(subject), ref)
      const id = await promoteLabel(ctx, subject.project, label)
      const promoted = await addCountsToLabel(ctx, await findLabel(ctx, toLabelScope(subject), id))
      await ctx.emit('label.promoted', { label: promoted, before: label })
      return promoted
    },
  }),

  /** Subscribes the current user to a label in this project, or to a label of this group in all projects of the group. */
  subscribe: command({
    on: container,
    can: 'label.subscribe',
    serializes: 'project',
    input: labelReferenceInput,
    rules: [exactlyOneReference],
    async run(ctx, ref, subject): Promise<LabelSubscription> {
      const { label, userId } = await loadSubscription(ctx, subject, ref)
      if (label.subscribed || userId === undefined) return { changed: false, label }
      const { projectId } = toPlaceKey(subject)
      await ctx.db
        .insertInto('labelSubscription')
        .values({ labelId: label.id, projectId, userId } satisfies CompleteRow<'labelSubscription'>)
        .execute()
      return { changed: true, label: { ...label, subscribed: true } }
    },
  }),

  /** Ends the subscription of the current user to a label in this project or group. */
  unsubscribe: command({
    on: container,
    can: 'label.subscribe',
    serializes: 'project',
    input: labelReferenceInput,
    rules: [exactlyOneReference],
    async run(ctx, ref, subject): Promise<LabelSubscription> {
      const { label, userId } = await loadSubscription(ctx, subject, ref)
      if (!label.subscribed || userId === undefined) return { changed: false, label }
      await ctx.db
        .deleteFrom('labelSubscription')
        .where('labelId', '=', label.id)
        .where('userId', '=', userId)
        .where((eb) => eb(subscriptionProjectId(eb), '=', toPlaceKey(subject).projectId ?? 0))
        .execute()
      return { changed: true, label: { ...label, subscribed: false } }
    },
  }),
}
