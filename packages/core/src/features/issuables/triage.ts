import * as v from 'valibot'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import { findUser } from '../accounts/queries.ts'
import { parseLabelInput } from '../labels/inputs.ts'
import { insertLabel } from '../labels/mutations.ts'
import { findLabelByName, toLabelScope } from '../labels/queries.ts'
import { findMilestone } from '../milestones/queries.ts'
import { findLabelIds, type IssuableKind, replaceAssignees, replaceLabels } from './relations.ts'

/** Fields that require the permission to triage. */
export const triageInput = {
  /** Label names; missing labels are created in the project. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(1_000))),
  /** Users by id or username. */
  assignees: v.optional(v.pipe(v.array(IdOrName), v.maxLength(1_000))),
  /** A milestone of the project or of an ancestor group, by id or title; null or 0 for none. */
  milestone: v.optional(v.nullable(IdOrName)),
}

/** `labels` replaces all labels; `addLabels` and `removeLabels` are applied after it. */
export const triageUpdateInput = {
  ...triageInput,
  addLabels: triageInput.labels,
  /** Names of labels that are not present are ignored. */
  removeLabels: triageInput.labels,
}

export interface Triage {
  readonly labels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly assignees?: readonly (number | string)[] | undefined
  readonly milestone?: number | string | null | undefined
}

const newLabel = { groupId: null, color: '#428BCA', description: null } as const

const findOrCreateLabelIds = async (
  ctx: Context,
  project: Subjects['project'],
  names: readonly string[],
): Promise<number[]> => {
  const ids: number[] = []
  for (const rawName of names) {
    const { name } = parseLabelInput({ name: rawName }) as { name: string }
    const label = await findLabelByName(ctx, toLabelScope(project), name)
    ids.push(label?.id ?? (await insertLabel(ctx, { ...newLabel, projectId: project.project.id, name })))
  }
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
  const base = labels ? await findOrCreateLabelIds(ctx, project, labels) : await findLabelIds(ctx, kind, id)
  const added = await findOrCreateLabelIds(ctx, project, addLabels)
  const removed = new Set<number | undefined>()
  for (const name of removeLabels) removed.add((await findLabelByName(ctx, toLabelScope(project), name.trim()))?.id)
  const remaining = [...base, ...added].filter((labelId) => !removed.has(labelId))
  await replaceLabels(ctx, kind, id, remaining)
}

/** Updates labels and assignees if the input contains them. */
export async function updateLabelsAndAssignees(
  ctx: Context,
  kind: IssuableKind,
  id: number,
  { project, access }: Pick<Subjects['project'], 'project' | 'access'>,
  { assignees, ...labels }: Triage,
): Promise<void> {
  await updateLabels(ctx, kind, id, { kind: 'project', project, access }, labels)
  if (!assignees) return
  const ids: number[] = []
  // The id 0 means no assignee.
  for (const ref of assignees) if (ref !== 0) ids.push((await findUser(ctx, ref)).id)
  await replaceAssignees(ctx, kind, id, ids)
}

/** @throws PlatformError `invalid` for a blank title or one of more than 255 characters */
export const assertValidTitle = (title: string | undefined): void => {
  if (title === undefined) return
  if (title.trim() === '') throw invalid({ title: ["can't be blank"] })
  if (title.length > 255) throw invalid({ title: ['is too long (maximum is 255 characters)'] })
}
