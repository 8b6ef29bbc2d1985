import * as v from 'valibot'
import { visibilities } from '../access/levels.ts'
import type { SharedGroup } from '../features/spaces/projects/project-record.ts'
import { DateOnly, InternalId } from '../kernel/inputs.ts'
import type { Session } from '../session.ts'
import { defined } from '../shared/defined.ts'
import { namedIn } from './identity.ts'
import { readPages } from './pages.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import { AccessLevel, CustomAttribute, defineSection, type Seeder } from './seeder.ts'

const Member = v.strictObject({
  /** A username. */
  user: v.string(),
  access: AccessLevel,
  /** The first day without access, such as `2026-11-21`. Default: the membership does not end. */
  expiresAt: v.optional(DateOnly),
  /** Groups only: the access level is synchronized from a directory. */
  synced: v.optional(v.boolean(), false),
})

async function* listUsernames(seeder: Seeder, parent: SectionParent) {
  const { members } = seeder.asHost()
  for await (const { username } of readPages(members.list, toParentInput(parent))) {
    yield username.toLowerCase()
  }
}

/** Direct members. */
const members = defineSection(
  'members',
  Member,
  async (seeder: Seeder, member, parent: SectionParent) => {
    const { user, access: accessLevel, expiresAt, synced } = member
    await seeder
      .asHost()
      .members.add({ ...toParentInput(parent), users: [user], accessLevel, ...(expiresAt && { expiresAt }) })
    // The operation rejects projects.
    if (synced)
      await seeder.asHost().members.sync({ ...(toParentInput(parent) as { group: number }), user, accessLevel })
  },
  {
    nameOf: ({ user }) => user.toLowerCase(),
    listNames: listUsernames,
    async update(seeder, { user, access: accessLevel, expiresAt = null, synced }, parent) {
      const { members } = seeder.asHost()
      const member = { ...toParentInput(parent), user }
      if (synced) return members.sync({ ...(member as { group: number; user: string }), accessLevel })
      const current = await members.get(member)
      // The last owner of a group cannot be updated, not even without a change.
      if (current.accessLevel === accessLevel && current.expiresAt === expiresAt) return current
      return members.update({ ...member, accessLevel, expiresAt })
    },
  },
)

/** Usernames of the requesters. */
const accessRequests = defineSection(
  'accessRequests',
  v.string(),
  async (seeder: Seeder, user, parent: SectionParent) => {
    await seeder.asUser(user).accessRequests.create(toParentInput(parent))
  },
  {
    nameOf: (user) => user.toLowerCase(),
    async *listNames(seeder, parent) {
      // A member's request was approved.
      yield* listUsernames(seeder, parent)
      const { accessRequests } = seeder.asHost()
      const requests = readPages(accessRequests.list, toParentInput(parent))
      for await (const { username } of requests) yield username.toLowerCase()
    },
  },
)

const Share = v.strictObject({
  /** Full path of an earlier group. */
  group: v.string(),
  access: AccessLevel,
  /** The first day without access, such as `2026-11-21`. Default: the share does not end. */
  expiresAt: v.optional(DateOnly),
})

/** The groups that a project or group is shared with. */
export const readShares = async (host: Session, parent: SectionParent): Promise<readonly SharedGroup[]> => {
  const { sharedWithGroups } =
    'project' in parent
      ? await host.projects.get({ project: parent.project })
      : await host.groups.get({ group: parent.group })
  return sharedWithGroups ?? []
}

/** Groups with access. */
const shares = defineSection(
  'shares',
  Share,
  async (seeder: Seeder, share, parent: SectionParent) => {
    const { group: withGroup, access: accessLevel, expiresAt } = share
    await seeder
      .asHost()
      .shares.create({ ...toParentInput(parent), withGroup, accessLevel, ...(expiresAt && { expiresAt }) })
  },
  {
    nameOf: ({ group }) => group.toLowerCase(),
    async *listNames(seeder, parent) {
      for (const { groupFullPath } of await readShares(seeder.asHost(), parent)) yield groupFullPath.toLowerCase()
    },
  },
)

const Label = v.strictObject({
  name: v.string(),
  color: v.optional(v.string(), '#428BCA'),
  /** One line of Markdown. */
  description: v.optional(v.string()),
  /** Projects only. */
  priority: v.optional(v.number()),
  /** Usernames. */
  subscribers: v.optional(v.array(v.string()), []),
})

/** Labels of the project or group. */
const labels = defineSection(
  'labels',
  Label,
  async (seeder: Seeder, { subscribers, ...label }, parent: SectionParent) => {
    const { id } = await seeder.asHost().labels.create({ ...toParentInput(parent), ...label })
    for (const user of subscribers) {
      await seeder.asUser(user).labels.subscribe({ ...toParentInput(parent), label: id })
    }
    seeder.record('labels', `${parent.path}~${label.name}`, { id })
  },
  {
    nameOf: ({ name }) => name,
    async *listNames(seeder, parent) {
      const own = { ...toParentInput(parent), includeAncestorGroups: false }
      for await (const { name } of readPages(seeder.asHost().labels.list, own)) yield name
    },
    update: (seeder, { name, color, description, priority }, parent) =>
      seeder.asHost().labels.update({ ...toParentInput(parent), name, color, description, priority }),
  },
)

const Milestone = v.strictObject({
  title: v.string(),
  /** Number in the project or group. Numbers ascend in the seed. Default: the next one. */
  iid: v.optional(InternalId),
  /** Text in Markdown. */
  description: v.optional(v.string()),
  /** A closed milestone is closed after its creation. */
  state: v.optional(v.picklist(['active', 'closed']), 'active'),
  /** First day, such as `2026-11-21`. It can be later than `dueDate`. */
  startDate: v.optional(DateOnly),
  /** Last day, such as `2026-11-28`. */
  dueDate: v.optional(DateOnly),
})

/** Milestones of the project or group. */
const milestones = defineSection(
  'milestones',
  Milestone,
  async (seeder: Seeder, { state, ...fields }, parent: SectionParent) => {
    const host = seeder.asHost()
    const { id, iid } = await host.milestones.create({ ...toParentInput(parent), ...fields })
    if (state === 'closed') await host.milestones.update({ ...toParentInput(parent), milestone: iid, state })
    seeder.record('milestones', `${parent.path}%${fields.title}`, { id, iid })
  },
  namedIn(
    (host) => host.milestones,
    ({ title }) => title,
    async (seeder, { title, iid: _, ...change }, parent) => {
      const { milestones } = seeder.asHost()
      const { items } = await milestones.list({ ...toParentInput(parent), title })
      const { iid: milestone } = defined(items[0])
      await milestones.update({ ...toParentInput(parent), milestone, ...change })
    },
  ),
)

/** Custom attributes, which only administrators see. */
const customAttributes = defineSection(
  'customAttributes',
  CustomAttribute,
  async (seeder: Seeder, attribute, parent: SectionParent) => {
    await seeder.asHost().customAttributes.set({ ...toParentInput(parent), ...attribute })
  },
  namedIn(
    (host) => host.customAttributes,
    ({ key }) => key,
    (seeder, attribute, parent) => seeder.asHost().customAttributes.set({ ...toParentInput(parent), ...attribute }),
  ),
)

/** Those of `sharedSections` that archives contain. */
export const archivedSections = [members, labels, milestones] as const

/** The sections of both groups and projects, in seeding order. */
export const sharedSections = [members, shares, accessRequests, customAttributes, labels, milestones] as const

export const Visibility = v.optional(v.picklist(visibilities))
