import { type Exporter, present } from '../export/exporter.ts'
import { readAll } from '../pages.ts'
import type { Seeder } from '../seeder.ts'
import type { ProjectContentInput } from './project-schema.ts'

type Content = Pick<ProjectContentInput, 'labels' | 'milestones' | 'boards' | 'issues' | 'mergeRequests' | 'releases'>

/** The names of the labels and milestones that the content of a project refers to. */
const collectNames = ({ boards = [], issues = [], mergeRequests = [], releases = [] }: Content) => {
  const items = [...issues, ...mergeRequests]
  return {
    labels: new Set([...items, ...boards].flatMap(({ labels }) => labels ?? [])),
    milestones: new Set([
      ...items.flatMap(({ milestone }) => milestone ?? []),
      ...releases.flatMap(({ milestones }) => milestones ?? []),
    ]),
  }
}

/** The labels and milestones of the groups above that the content refers to, as those of the project. */
export async function exportInheritedItems(
  { host }: Exporter,
  project: number,
  content: Content,
): Promise<{ labels: NonNullable<Content['labels']>; milestones: NonNullable<Content['milestones']> }> {
  const used = collectNames(content)
  const labels = await readAll(host.labels.list, { project })
  const milestones = await readAll(host.milestones.list, { project, includeAncestors: true })
  return {
    labels: labels
      .filter(({ name, isProjectLabel }) => !isProjectLabel && used.labels.has(name))
      .map(({ name, color, description }) => ({ name, color, ...present({ description }) })),
    milestones: milestones
      .filter(({ title, projectId }) => projectId !== project && used.milestones.has(title))
      .map(({ title, description, state, startDate, dueDate }) => ({
        title,
        ...present({ description, startDate, dueDate }),
        ...(state === 'closed' && { state }),
      })),
  }
}

interface Labelled {
  readonly labels?: readonly { readonly name: string }[] | undefined
  readonly milestones?: readonly { readonly title: string }[] | undefined
}

/** The labels and milestones that neither the new project nor a group above it has. */
export async function selectMissingItems<T extends Labelled>(
  seeder: Seeder,
  project: number,
  { labels = [], milestones = [] }: T,
): Promise<Pick<T, 'labels' | 'milestones'>> {
  const host = seeder.asHost()
  const existingLabels = await readAll(host.labels.list, { project })
  const existingMilestones = await readAll(host.milestones.list, { project, includeAncestors: true })
  const names = new Set(existingLabels.map(({ name }) => name.toLowerCase()))
  const titles = new Set(existingMilestones.map(({ title }) => title))
  return {
    labels: labels.filter(({ name }) => !names.has(name.toLowerCase())),
    milestones: milestones.filter(({ title }) => !titles.has(title)),
  }
}
