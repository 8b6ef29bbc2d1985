import { type JsonObject, readDay, readField, readId, readText, toObject, withoutUndefined } from './json-fields.ts'
import { isFullPath } from './names.ts'
import {
  addUserOf,
  type Draft,
  fill,
  type RecordedContainer,
  type RecordedProject,
  type RecordedWorld,
  type SeedLabel,
  type SeedMember,
  type SeedMilestone,
} from './recorded-world.ts'
import { groupRoute, listObjects, projectRoute, type RecordedResponse } from './recording-route.ts'

const accessLevels = [10, 20, 30, 40, 50] as const

/** The level of a seed that gives no more access: there are levels between those of a seed. */
export const readAccess = (member: JsonObject, name: string) => {
  const level = readField(member, name)
  return typeof level === 'number' ? accessLevels.findLast((known) => known <= level) : undefined
}

const addMembers = (members: Map<string, SeedMember>, body: unknown, world: RecordedWorld) => {
  for (const member of listObjects(body)) {
    const user = addUserOf(world, member)
    const access = readAccess(member, 'access_level')
    if (user === undefined || access === undefined || members.has(user.toLowerCase())) continue
    members.set(user.toLowerCase(), withoutUndefined({ user, access, expiresAt: readDay(member, 'expires_at') }))
  }
}

const readMembers = ({ members }: RecordedContainer, { body }: RecordedResponse, world: RecordedWorld) => {
  addMembers(members, body, world)
  return undefined
}

const readAllMembers = ({ allMembers }: RecordedContainer, { body }: RecordedResponse, world: RecordedWorld) => {
  addMembers(allMembers, body, world)
  return undefined
}

export const addShares = ({ shares }: RecordedContainer, object: JsonObject, world: RecordedWorld): void => {
  for (const share of listObjects(readField(object, 'shared_with_groups'))) {
    const group = readText(share, 'group_full_path')
    const access = readAccess(share, 'group_access_level')
    if (group === undefined || access === undefined || !isFullPath(group)) continue
    world.addGroup(group)
    shares.set(group.toLowerCase(), withoutUndefined({ group, access, expiresAt: readDay(share, 'expires_at') }))
  }
}

const readColor = (label: JsonObject) => {
  const color = readText(label, 'color')
  return color !== undefined && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) ? color : undefined
}

/** Names without commas and HTML tags, as labels have them. */
export const readLabelName = (value: unknown): string | undefined => {
  const name = readText({ name: value }, 'name', 255)?.trim()
  return name === undefined || /[,<>]/.test(name) ? undefined : name
}

/** The group of a project, if a response has named it; undefined for a personal project. */
const findOwnGroup = (world: RecordedWorld, { path }: RecordedContainer) =>
  world.groups.get(path.slice(0, path.lastIndexOf('/')).toLowerCase())

const readPriority = (label: JsonObject) => {
  const priority = readField(label, 'priority')
  return Number.isInteger(priority) && (priority as number) >= 0 && (priority as number) < 2 ** 31
    ? (priority as number)
    : undefined
}

/** Lists of projects contain the labels of their groups, and those of subgroups the labels of all groups above. */
const readLabels =
  (isProject: boolean) =>
  (container: RecordedContainer, { body }: RecordedResponse, world: RecordedWorld) => {
    for (const label of listObjects(body)) {
      const name = readLabelName(readField(label, 'name'))
      if (name === undefined) continue
      const isOwn = !isProject || readField(label, 'is_project_label') !== false
      const owner = isOwn ? container : (findOwnGroup(world, container) ?? container)
      const details = { color: readColor(label), description: readText(label, 'description') }
      const priority = isOwn && isProject ? readPriority(label) : undefined
      const known: Draft<SeedLabel> = owner.labels.get(name) ?? { name }
      fill<SeedLabel>(known, { ...details, priority })
      owner.labels.set(name, { ...known, name })
    }
    return undefined
  }

/**
 * Adds a milestone to the project or group that it belongs to, and returns its title. A milestone of a group that the recording
 * does not name becomes one of the project, without a number: it has the negative id as a key.
 */
export const addMilestone = (
  world: RecordedWorld,
  project: RecordedProject | undefined,
  value: unknown,
): string | undefined => {
  const milestone = toObject(value)
  const title = milestone && readText(milestone, 'title', 255)
  const iid = milestone && readId(milestone, 'iid')
  if (!milestone || title === undefined || iid === undefined) return undefined
  const groupId = readId(milestone, 'group_id')
  const groupPath = groupId === undefined ? undefined : world.groupPaths.get(groupId)
  const owner = groupPath === undefined ? project : world.addGroup(groupPath)
  if (!owner) return undefined
  const key = groupId === undefined || groupPath !== undefined ? iid : -(readId(milestone, 'id') ?? iid)
  const known = owner.milestones.get(key) ?? {}
  fill<SeedMilestone>(known, {
    title,
    description: readText(milestone, 'description'),
    state: readField(milestone, 'state') === 'closed' ? 'closed' : undefined,
    startDate: readDay(milestone, 'start_date'),
    dueDate: readDay(milestone, 'due_date'),
  })
  owner.milestones.set(key, known)
  return known.title
}

const readMilestones = (container: RecordedContainer, { body }: RecordedResponse, world: RecordedWorld) => {
  for (const milestone of listObjects(body)) {
    addMilestone(world, 'issues' in container ? (container as RecordedProject) : undefined, milestone)
  }
  return undefined
}

/** Routes below both projects and groups. */
export const containerRoutes = [
  ...[projectRoute, groupRoute].flatMap((route) => [
    route('/members/all', readAllMembers),
    route('/members/all/:user_id', readAllMembers),
    route('/members', readMembers),
    route('/members/:user_id', readMembers),
    route('/labels', readLabels(route === projectRoute)),
    route('/labels/:label_id', readLabels(route === projectRoute)),
    route('/milestones', readMilestones),
    route('/milestones/:milestone_id', readMilestones),
  ]),
]
