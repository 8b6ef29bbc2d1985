import * as v from 'valibot'
import { issueLinkTypes } from '../features/planning/issue-links/issue-link.ts'
import { healthStatuses, issueTypes } from '../features/planning/issues/issue.ts'
import { Weight } from '../features/planning/issues/mutations.ts'
import { PlatformError } from '../kernel/errors.ts'
import { DateOnly, InternalId } from '../kernel/inputs.ts'
import { seedEmoji } from './emoji.ts'
import { namedIn } from './identity.ts'
import { issuableFields, seedTimes } from './issuable-fields.ts'
import { seedNotes } from './notes.ts'
import { readAll } from './pages.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder } from './seeder.ts'
import { seedTodos } from './todos.ts'

const Link = v.strictObject({
  /** Full path of an earlier project. Default: this project. */
  project: v.optional(v.string()),
  /** Number of an earlier issue. */
  issue: InternalId,
  /** `blocks` and `is_blocked_by` are from the side of this issue. */
  linkType: v.optional(v.picklist(issueLinkTypes)),
})

const Issue = v.strictObject({
  ...issuableFields,
  /** A closed issue is closed after its notes are added. */
  state: v.optional(v.picklist(['opened', 'closed']), 'opened'),
  confidential: v.optional(v.boolean()),
  /** Day such as `2026-11-21`. */
  dueDate: v.optional(DateOnly),
  /** Kind of issue. Default: `issue`. */
  issueType: v.optional(v.picklist(issueTypes)),
  /** Estimated effort in units of the team, from 0. */
  weight: v.optional(Weight),
  /** How likely the issue is done in time. */
  healthStatus: v.optional(v.picklist(healthStatuses)),
  /** Title of an epic of the group of the project or of a group above it. */
  epic: v.optional(v.string()),
  /** Links to earlier issues. */
  links: v.optional(v.array(Link), []),
})

/** Adds an issue to an epic of the seed, or to one that exists. */
const addToEpic = async (seeder: Seeder, issue: number, title: string, projectPath: string): Promise<void> => {
  const host = seeder.asHost()
  const group = projectPath.slice(0, projectPath.lastIndexOf('/'))
  const reach = { group, includeAncestorGroups: true, includeDescendantGroups: false }
  const epics = await readAll(host.epics.list, reach)
  const epic = epics.find((candidate) => candidate.title === title)
  if (!epic) throw new PlatformError('invalid', `The groups of ${projectPath} have no epic with the title ${title}`)
  await host.epicIssues.assign({ group: epic.groupId, epic: epic.iid, issue })
}

/** Issues with their notes, emoji and to-dos. */
export const issuesSection = defineSection(
  'issues',
  Issue,
  async (seeder: Seeder, item, parent: SectionParent) => {
    const {
      as: name,
      state,
      emoji,
      notes,
      todos,
      createdAt,
      endedAt,
      epic,
      links,
      timeEstimate,
      timeSpent,
      ...fields
    } = item
    const project = projectOf(parent)
    const { id, iid } = await seeder.asHost(createdAt).issues.create({ project, ...fields })
    const ref = { project, issue: iid }
    await seedEmoji(seeder, emoji, ref)
    await seedTimes(seeder, item, ref)
    for (const { project: targetProject = project, issue: targetIssue, linkType } of links)
      await seeder.asHost(createdAt).issueLinks.create({ ...ref, targetProject, targetIssue, linkType })
    if (epic !== undefined) await addToEpic(seeder, id, epic, parent.path)
    const resultName = name ?? `${parent.path}#${fields.title}`
    await seedNotes(seeder, notes, ref, resultName)
    await seedTodos(seeder, todos, ref, resultName)
    if (state === 'closed') await seeder.asHost(endedAt).issues.update({ ...ref, stateEvent: 'close' })
    seeder.record('issues', resultName, { id, iid })
  },
  namedIn(
    (host) => host.issues,
    ({ title }) => title,
  ),
)
