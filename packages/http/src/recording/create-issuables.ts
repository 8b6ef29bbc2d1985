import { defined } from '@forgelet/core/operations'
import { findDefaultBranch } from './create-repository.ts'
import { withoutUndefined } from './json-fields.ts'
import type { RecordedIssuable, RecordedProject, SeedIssue, SeedMergeRequest } from './recorded-world.ts'
import { removedAuthor, type Skip } from './skip.ts'

export interface ProjectContext {
  readonly path: string
  /** Titles of the milestones of the project and of the groups above it. */
  readonly titles: ReadonlySet<string>
  readonly skip: Skip
}

/** In the order of their numbers. Items without a title were recorded in part only: their notes or emoji. */
const listItems = (
  items: ReadonlyMap<number, RecordedIssuable>,
  sign: '#' | '!',
  { path, skip }: ProjectContext,
): readonly (readonly [number, RecordedIssuable])[] =>
  [...items]
    .toSorted(([a], [b]) => a - b)
    .filter(([iid, { fields }]) => {
      const isUsable = fields.title !== undefined && iid < 2 ** 31
      if (!isUsable) skip(`${path}${sign}${iid}`, 'its title is not in the recording')
      return isUsable
    })

/** The fields of issues and merge requests. */
const createFields = (
  [iid, { fields, notes, emoji }]: readonly [number, RecordedIssuable],
  { titles }: ProjectContext,
) => {
  const { milestone, endedAt, ...others } = fields
  const written = [...notes].toSorted(([a], [b]) => a - b).map(([, note]) => note)
  const awards = [...emoji].map(([name, users]) => ({ name, users: [...users] }))
  return {
    iid,
    ...others,
    author: fields.author ?? removedAuthor,
    milestone: milestone !== undefined && titles.has(milestone) ? milestone : undefined,
    endedAt: fields.state === undefined ? undefined : endedAt,
    notes: written.length ? written : undefined,
    emoji: awards.length ? awards : undefined,
  }
}

export const createIssues = ({ issues }: RecordedProject, context: ProjectContext): SeedIssue[] | undefined => {
  const created = listItems(issues, '#', context).map(
    (item) => withoutUndefined(createFields(item, context)) as unknown as SeedIssue,
  )
  return created.length ? created : undefined
}

export const createMergeRequests = (
  project: RecordedProject,
  context: ProjectContext,
): SeedMergeRequest[] | undefined => {
  const open = new Set<string>()
  const created = listItems(project.mergeRequests, '!', context).flatMap((item) => {
    const [iid, { fields }] = item
    const { sourceBranch, targetBranch = findDefaultBranch(project), state } = fields
    const branches = `${sourceBranch}\n${targetBranch}`
    if (sourceBranch === undefined || sourceBranch === targetBranch || open.has(branches)) {
      // Those from forks, too: their branches can have equal names.
      context.skip(`${context.path}!${iid}`, 'its branches are missing, equal or those of another open merge request')
      return []
    }
    if (state === 'merged' && /^\s*(?:\[?(?:draft|wip)\]?|\(draft\))/i.test(defined(fields.title))) {
      context.skip(`${context.path}!${iid}`, 'drafts cannot be merged')
      return []
    }
    if (state === undefined) open.add(branches)
    return [withoutUndefined({ ...createFields(item, context), targetBranch }) as unknown as SeedMergeRequest]
  })
  return created.length ? created : undefined
}
