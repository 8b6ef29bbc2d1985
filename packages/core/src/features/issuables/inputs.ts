import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import type { Subjects } from '../../policy.ts'
import { findUser } from '../accounts/queries.ts'
import { cleanLabel } from '../labels/inputs.ts'
import { labelNamed, scopeOf } from '../labels/queries.ts'
import { findMilestone } from '../milestones/queries.ts'
import { type IssuableKind, labelIdsOn, replaceAssignees, replaceLabels } from './attachments.ts'

/** Fields that only those who triage may set. */
export const triage = {
  /** Label names; those that do not exist yet are added to the project. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(1_000))),
  /** Users by id or username. */
  assignees: v.optional(v.pipe(v.array(Reference), v.maxLength(1_000))),
  /** A milestone of the project or of a group above, by id or title; null or 0 for none. */
  milestone: v.optional(v.nullable(Reference)),
}

/** What can be changed without saying everything anew; after `labels`, where that is given as well. */
export const triageChange = {
  ...triage,
  /** Label names to put on it, beside those that it has. */
  addLabels: triage.labels,
  /** Label names to take off; those that it does not have are passed over. */
  removeLabels: triage.labels,
}

export interface Triage {
  readonly labels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly assignees?: readonly (number | string)[] | undefined
  readonly milestone?: number | string | null | undefined
}

const defaultColor = '#428BCA'

const labelIds = async (ctx: Context, project: Subjects['project'], names: readonly string[]): Promise<number[]> => {
  const ids: number[] = []
  for (const given of names) {
    const { name } = cleanLabel({ name: given }) as { name: string }
    const known = await labelNamed(ctx, scopeOf(project), name)
    ids.push(known?.id ?? (await addLabel(ctx, project.project.id, name)))
  }
  return ids
}

const addLabel = async (ctx: Context, projectId: number, name: string): Promise<number> => {
  const [row] = await ctx.db
    .insertInto('label')
    .values({
      projectId,
      groupId: null,
      name,
      color: defaultColor,
      description: null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning('id')
    .execute()
  return (row as { id: number }).id
}

/** The id of the milestone that was named; undefined when the input says nothing of it. */
export const milestoneId = async (
  ctx: Context,
  { project }: Pick<Subjects['project'], 'project'>,
  ref: number | string | null | undefined,
): Promise<number | null | undefined> => {
  if (ref === undefined) return undefined
  return ref === null || ref === 0 ? null : (await findMilestone(ctx, project, ref)).id
}

const setLabels = async (
  ctx: Context,
  kind: IssuableKind,
  id: number,
  project: Subjects['project'],
  { labels, addLabels = [], removeLabels = [] }: Triage,
): Promise<void> => {
  if (!labels && !addLabels.length && !removeLabels.length) return
  const kept = labels ? await labelIds(ctx, project, labels) : await labelIdsOn(ctx, kind, id)
  const added = await labelIds(ctx, project, addLabels)
  const removed = new Set<number | undefined>()
  for (const name of removeLabels) removed.add((await labelNamed(ctx, scopeOf(project), name.trim()))?.id)
  const left = [...kept, ...added].filter((labelId) => !removed.has(labelId))
  await replaceLabels(ctx, kind, id, left)
}

/** Stores labels and assignees as far as the input names them. */
export async function attach(
  ctx: Context,
  kind: IssuableKind,
  id: number,
  { project, access }: Pick<Subjects['project'], 'project' | 'access'>,
  { assignees, ...labels }: Triage,
): Promise<void> {
  await setLabels(ctx, kind, id, { kind: 'project', project, access }, labels)
  if (!assignees) return
  const ids: number[] = []
  // The id 0 stands for nobody.
  for (const ref of assignees) if (ref !== 0) ids.push((await findUser(ctx, ref)).id)
  await replaceAssignees(ctx, kind, id, ids)
}

/** Titles are required and short. */
export const refuseBadTitle = (title: string | undefined): void => {
  if (title === undefined) return
  if (title.trim() === '') throw invalid({ title: ["can't be blank"] })
  if (title.length > 255) throw invalid({ title: ['is too long (maximum is 255 characters)'] })
}
