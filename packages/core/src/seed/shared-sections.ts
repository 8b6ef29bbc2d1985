import * as v from 'valibot'
import { visibilities } from '../access/levels.ts'
import { DateOnly } from '../kernel/inputs.ts'
import { AccessLevel, CustomAttribute, defineSection, type Seeder } from './seeder.ts'

/** The project or group of a section. */
export type SectionParent =
  | { readonly project: number; readonly path: string }
  | { readonly group: number; readonly path: string }

const toParentInput = (parent: SectionParent) =>
  'project' in parent ? { project: parent.project } : { group: parent.group }

const Member = v.strictObject({
  user: v.string(),
  access: AccessLevel,
  expiresAt: v.optional(DateOnly),
  /** Groups only: the access level is synchronized from a directory. */
  synced: v.optional(v.boolean(), false),
})

const members = defineSection('members', Member, async (seeder: Seeder, member, parent: SectionParent) => {
  const { user, access: accessLevel, expiresAt, synced } = member
  await seeder.asHost().members.add({ ...toParentInput(parent), user, accessLevel, ...(expiresAt && { expiresAt }) })
  // The operation rejects projects.
  if (synced) await seeder.asHost().members.sync({ ...(toParentInput(parent) as { group: number }), user, accessLevel })
})

/** Usernames of the requesters. */
const accessRequests = defineSection(
  'accessRequests',
  v.string(),
  async (seeder: Seeder, user, parent: SectionParent) => {
    await seeder.asUser(user).accessRequests.create(toParentInput(parent))
  },
)

const Share = v.strictObject({ group: v.string(), access: AccessLevel, expiresAt: v.optional(DateOnly) })

const shares = defineSection('shares', Share, async (seeder: Seeder, share, parent: SectionParent) => {
  const { group: withGroup, access: accessLevel, expiresAt } = share
  await seeder
    .asHost()
    .shares.add({ ...toParentInput(parent), withGroup, accessLevel, ...(expiresAt && { expiresAt }) })
})

const Label = v.strictObject({
  name: v.string(),
  color: v.optional(v.string(), '#428BCA'),
  description: v.optional(v.string()),
  /** Projects only. */
  priority: v.optional(v.number()),
  /** Usernames. Projects only. */
  subscribers: v.optional(v.array(v.string()), []),
})

const labels = defineSection(
  'labels',
  Label,
  async (seeder: Seeder, { subscribers, ...label }, parent: SectionParent) => {
    const { id } = await seeder.asHost().labels.create({ ...toParentInput(parent), ...label })
    for (const user of subscribers) {
      if ('project' in parent) await seeder.asUser(user).labels.subscribe({ project: parent.project, label: id })
    }
    seeder.record('labels', `${parent.path}~${label.name}`, { id })
  },
)

const Milestone = v.strictObject({
  title: v.string(),
  description: v.optional(v.string()),
  state: v.optional(v.picklist(['active', 'closed']), 'active'),
  startDate: v.optional(DateOnly),
  dueDate: v.optional(DateOnly),
})

const milestones = defineSection(
  'milestones',
  Milestone,
  async (seeder: Seeder, { state, ...fields }, parent: SectionParent) => {
    const host = seeder.asHost()
    const { id, iid } = await host.milestones.create({ ...toParentInput(parent), ...fields })
    if (state === 'closed') await host.milestones.update({ ...toParentInput(parent), milestone: iid, state })
    seeder.record('milestones', `${parent.path}%${fields.title}`, { id, iid })
  },
)

const customAttributes = defineSection(
  'customAttributes',
  CustomAttribute,
  async (seeder: Seeder, attribute, parent: SectionParent) => {
    await seeder.asHost().customAttributes.set({ ...toParentInput(parent), ...attribute })
  },
)

/** The sections of both groups and projects, in seeding order. */
export const sharedSections = [members, shares, accessRequests, customAttributes, labels, milestones] as const

export const Visibility = v.optional(v.picklist(visibilities))
