import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { reload as reloadIssue } from '../../planning/issues/mutations.ts'
import { issue } from '../../planning/issues/subject.ts'
import { findLabel, findLabelIdByName, toLabelScope } from '../../planning/labels/queries.ts'
import { splitWords } from '../../planning/quick-actions/parser.ts'
import type { QuickActionTarget } from '../../planning/quick-actions/request.ts'
import { reload as reloadMergeRequest } from '../merge-requests/state.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { ignorePlatformError, onIssuable, type QuickActionHandler } from './handler.ts'
import { findReferences } from './references.ts'
import { notApplicableError, updateTarget } from './target.ts'

interface LabelSummary {
  readonly id: number
  readonly name: string
}

const scopeOf = (target: QuickActionTarget) =>
  target.kind === 'epic'
    ? toLabelScope({ ...target, kind: 'group', hasVisibleProject: false })
    : toLabelScope({ kind: 'project', project: target.project, access: target.access })

/** Finds existing labels; quick actions do not create labels. */
const findLabels = async (
  ctx: Context,
  target: QuickActionTarget,
  argument: string,
): Promise<readonly LabelSummary[]> => {
  const scope = scopeOf(target)
  const labels: LabelSummary[] = []
  for (const word of splitWords(argument, '~')) {
    const label = await ignorePlatformError(findLabel(ctx, scope, /^\d{1,15}$/.test(word) ? Number(word) : word))
    if (label) labels.push(label)
  }
  if (!labels.length) throw notApplicableError()
  return labels
}

const formatLabels = (labels: readonly LabelSummary[]): string =>
  `${labels.map(({ name }) => (name.includes(' ') ? `~"${name}"` : `~${name}`)).join(' ')} ${labels.length > 1 ? 'labels' : 'label'}`

const idsOf = (labels: readonly LabelSummary[]) => labels.map(({ id }) => id)
const namesOf = (labels: readonly LabelSummary[]) => labels.map(({ name }) => name)

export const label: QuickActionHandler = async (ctx, target, argument) => {
  const labels = await findLabels(ctx, target, argument)
  await updateTarget(ctx, target, { addLabels: namesOf(labels) })
  return { changes: { addLabelIds: idsOf(labels) }, message: `Added ${formatLabels(labels)}.` }
}

export const unlabel: QuickActionHandler = async (ctx, target, argument, current) => {
  if (argument === '') {
    if (!current.labels.length) throw notApplicableError()
    await updateTarget(ctx, target, { labels: [] })
    return { changes: { labelIds: [] }, message: 'Removed all labels.' }
  }
  const labels = (await findLabels(ctx, target, argument)).filter(({ name }) => current.labels.includes(name))
  if (!labels.length) throw notApplicableError()
  await updateTarget(ctx, target, { removeLabels: namesOf(labels) })
  return { changes: { removeLabelIds: idsOf(labels) }, message: `Removed ${formatLabels(labels)}.` }
}

export const relabel: QuickActionHandler = async (ctx, target, argument) => {
  const labels = await findLabels(ctx, target, argument)
  await updateTarget(ctx, target, { labels: namesOf(labels) })
  return { changes: { labelIds: idsOf(labels) }, message: `Replaced all labels with ${formatLabels(labels)}.` }
}

export const setMilestone: QuickActionHandler = async (ctx, target, argument) => {
  const title = /^%?"[^"]*"$/.test(argument) ? splitWords(argument, '%')[0] : argument.replace(/^%/, '')
  if (!title) throw notApplicableError()
  const { milestone } = await updateTarget(ctx, target, { milestone: title })
  return { changes: { milestoneId: milestone?.id ?? null }, message: `Set the milestone to %"${title}".` }
}

export const removeMilestone: QuickActionHandler = async (ctx, target, _argument, current) => {
  if (!current.milestone) throw notApplicableError()
  await updateTarget(ctx, target, { milestone: null })
  return { changes: { milestoneId: null }, message: `Removed %"${current.milestone.title}" milestone.` }
}

/** Copies from an issue or a merge request of the same project that the current user can read. */
export const copyMetadata = onIssuable(async (ctx, target, argument) => {
  const [reference] = findReferences(ctx, argument)
  const project = target.project.fullPath
  if (!reference || (reference.project ?? project) !== project) throw notApplicableError()
  const number = Number(reference.value)
  const source =
    reference.kind === 'issue'
      ? await reloadIssue(ctx, (await loadVisible(ctx, issue, { project, issue: number })).issue)
      : reference.kind === 'merge_request'
        ? await reloadMergeRequest(
            ctx,
            (await loadVisible(ctx, mergeRequest, { project, mergeRequest: number })).mergeRequest,
          )
        : undefined
  if (source === undefined) throw notApplicableError()
  const { labels, milestone } = source
  const ids = await awaitAll(labels.map((name) => findLabelIdByName(ctx, scopeOf(target), name)))
  await updateTarget(ctx, target, { addLabels: labels, ...(milestone && { milestone: milestone.id }) })
  return {
    changes: { addLabelIds: ids.filter((id) => id !== undefined), ...(milestone && { milestoneId: milestone.id }) },
    message: `Copied labels and milestone from ${argument}.`,
  }
})
