import * as v from 'valibot'
import { visibilities } from '../access/levels.ts'
import { DateOnly } from '../kernel/inputs.ts'
import { CustomAttribute, Level, type Planting, section } from './planting.ts'

/** What a group and a project have in common: who gets in, and labels and milestones. */

/** The project or group that a section's things belong to. */
export type Container =
  | { readonly project: number; readonly path: string }
  | { readonly group: number; readonly path: string }

/** The same as the input of an operation. */
const target = (on: Container) => ('project' in on ? { project: on.project } : { group: on.group })

const Member = v.strictObject({
  user: v.string(),
  access: Level,
  expiresAt: v.optional(DateOnly),
  /** Of a group only: a directory keeps the level in step. */
  synced: v.optional(v.boolean(), false),
})

const members = section('members', Member, async (planting: Planting, member, on: Container) => {
  const { user, access: accessLevel, expiresAt, synced } = member
  await planting.at().members.add({ ...target(on), user, accessLevel, ...(expiresAt && { expiresAt }) })
  // A project has no directory: the operation says so.
  if (synced) await planting.at().members.sync({ ...(target(on) as { group: number }), user, accessLevel })
})

/** Usernames of those who ask for access. */
const accessRequests = section('accessRequests', v.string(), async (planting: Planting, user, on: Container) => {
  await planting.as(user).accessRequests.create(target(on))
})

const Share = v.strictObject({ group: v.string(), access: Level, expiresAt: v.optional(DateOnly) })

const shares = section('shares', Share, async (planting: Planting, share, on: Container) => {
  const { group: withGroup, access: accessLevel, expiresAt } = share
  await planting.at().shares.add({ ...target(on), withGroup, accessLevel, ...(expiresAt && { expiresAt }) })
})

const Label = v.strictObject({
  name: v.string(),
  color: v.optional(v.string(), '#428BCA'),
  description: v.optional(v.string()),
  /** Of a project only. */
  priority: v.optional(v.number()),
  /** Usernames; of a project only. */
  subscribers: v.optional(v.array(v.string()), []),
})

const labels = section('labels', Label, async (planting: Planting, { subscribers, ...label }, on: Container) => {
  const { id } = await planting.at().labels.create({ ...target(on), ...label })
  for (const user of subscribers) {
    if ('project' in on) await planting.as(user).labels.subscribe({ project: on.project, label: id })
  }
  planting.note('labels', `${on.path}~${label.name}`, { id })
})

const Milestone = v.strictObject({
  title: v.string(),
  description: v.optional(v.string()),
  state: v.optional(v.picklist(['active', 'closed']), 'active'),
  startDate: v.optional(DateOnly),
  dueDate: v.optional(DateOnly),
})

const milestones = section('milestones', Milestone, async (planting: Planting, { state, ...given }, on: Container) => {
  const host = planting.at()
  const { id, iid } = await host.milestones.create({ ...target(on), ...given })
  if (state === 'closed') await host.milestones.update({ ...target(on), milestone: iid, state })
  planting.note('milestones', `${on.path}%${given.title}`, { id, iid })
})

const customAttributes = section(
  'customAttributes',
  CustomAttribute,
  async (planting: Planting, attribute, on: Container) => {
    await planting.at().customAttributes.set({ ...target(on), ...attribute })
  },
)

/** Sections that both have, in the order in which they are planted. */
export const containerSections = [members, shares, accessRequests, customAttributes, labels, milestones] as const

export const Visibility = v.optional(v.picklist(visibilities))
