import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { parseLabelInput } from '../labels/inputs.ts'
import { implicitLabel, insertLabel } from '../labels/mutations.ts'
import { findLabelIdByName, toLabelScope } from '../labels/queries.ts'
import { findMilestone } from '../milestones/queries.ts'
import { findLabelIds, type IssuableKind, replaceAssignees, replaceLabels } from './relations.ts'

/** Fields that require the permission to triage. */
export const triageInput = {
  /** Names of all labels, at most 1,000; missing labels are created in the project. An empty list means no labels. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(1_000))),
  /** Ids or usernames of all assignees, at most 1,000. An empty list or 0 means no assignee. */
  assignees: v.optional(v.pipe(v.array(IdOrName), v.maxLength(1_000))),
  /** Id or title of a milestone of the project or of a group above it; null or 0 for none. */
  milestone: v.optional(v.nullable(IdOrName)),
}

/** Triage fields of an update, which can also change single labels. */
export const triageUpdateInput = {
  ...triageInput,
  /** Names of labels to add, at most 1,000, after `labels` is applied; missing labels are created in the project. */
  addLabels: triageInput.labels,
  /** Names of labels to remove, at most 1,000, after `labels` and `addLabels` are applied; others are ignored. */
  removeLabels: triageInput.labels,
}

export interface Triage {
  readonly labels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly assignees?: readonly (number | string)[] | undefined
  readonly milestone?: number | string | null | undefined
}

const findLabelIdsByName = (ctx: Context, project: Subjects['project'], names: readonly string[]) =>
  awaitAll(names.map((name) => findLabelIdByName(ctx, toLabelScope(project), name)))

const findOrCreateLabelIds = async (
  ctx: Context,
  project: Subjects['project'],
  names: readonly string[],
): Promise<number[]> => {
  const distinct = [...new Set(names.map((name) => (parseLabelInput({ name }) as { name: string }).name))]
  const existing = await findLabelIdsByName(ctx, project, distinct)
  const ids: number[] = []
  for (const [at, name] of distinct.entries())
    ids.push(existing[at] ?? (await insertLabel(ctx, { ...implicitLabel, projectId: project.project.id, name })))
  return ids
}

/** Returns the id of the milestone; undefined if the input has no milestone. */
export const resolveMilestoneId = async (
  ctx: Context,
  { project }: Pick<Subjects['project'], 'project'>,
  ref: number | string | null | undefined,
): Promise<number | null | undefined> => {
  if (ref === undefined) return undefined
  return ref === null || ref === 0 ? null : (await findMilestone(ctx, project, ref)).id
}

const updateLabels = async (
  ctx: Context,
  kind: IssuableKind,
  id: number,
  project: Subjects['project'],
  { labels, addLabels = [], removeLabels = [] }: Triage,
): Promise<void> => {
  if (!labels && !addLabels.length && !removeLabels.length) return
  const [present, given] = await awaitAll([
    labels ? [] : findLabelIds(ctx, kind, id),
    findOrCreateLabelIds(ctx, project, [...(labels ?? []), ...addLabels]),
  ])
  // After the creation of labels, because the input may add and remove the same new label.
  const removed = await findLabelIdsByName(
    ctx,
    project,
    removeLabels.map((name) => name.trim()),
  )
  const remaining = [...present, ...given].filter((labelId) => !removed.includes(labelId))
  await replaceLabels(ctx, kind, id, remaining)
}

const updateAssignees = async (ctx: Context, kind: IssuableKind, id: number, { assignees }: Triage): Promise<void> => {
  if (!assignees) return
  // The id 0 means no assignee.
  const users = await awaitAll(assignees.filter((ref) => ref !== 0).map((ref) => findUser(ctx, ref)))
  await replaceAssignees(
    ctx,
    kind,
    id,
    users.map((user) => user.id),
  )
}

/** Updates labels and assignees if the input contains them. */
export async function updateLabelsAndAssignees(
  ctx: Context,
  kind: IssuableKind,
  id: number,
  { project, access }: Pick<Subjects['project'], 'project' | 'access'>,
  triage: Triage,
): Promise<void> {
  await awaitAll([
    updateLabels(ctx, kind, id, { kind: 'project', project, access }, triage),
    updateAssignees(ctx, kind, id, triage),
  ])
}

/** @throws PlatformError `invalid` for a blank title or one of more than 255 characters */
export const assertValidTitle = (title: string | undefined): void => {
  if (title === undefined) return
  if (title.trim() === '') throw invalid({ title: ["can't be blank"] })
  if (title.length > 255) throw invalid({ title: ['is too long (maximum is 255 characters)'] })
}
