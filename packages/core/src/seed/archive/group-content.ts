import { getLessVisible } from '../../access/levels.ts'
import type { ArchiveTarget } from '../../contract/archive-data.ts'
import type { Group } from '../../contract/namespace.ts'
import { exportContainerContent } from '../export/container-content.ts'
import { exportSharedSections } from '../export/containers.ts'
import { type Exporter, present, unless } from '../export/exporter.ts'
import { exportEpics } from '../export/issuables.ts'
import { readAll } from '../pages.ts'
import { seedSections } from '../sections.ts'
import { atSeedPath } from '../seed-path.ts'
import type { Seeder } from '../seeder.ts'
import { attribute, limitTimes, mapEmoji, mapNotes, toAuthor } from './authors.ts'
import { exportUserList, mapMembers } from './container-content.ts'
import { type GroupContent, type GroupContentInput, groupSections, type SubgroupContent } from './group-schema.ts'

type Content = Omit<SubgroupContent, 'path' | 'name'>

const exportOne = async (exporter: Exporter, group: Group) => {
  const { id, fullPath: path } = group
  const parent = { group: id, path, isNew: false }
  const { members, labels, milestones } = await exportSharedSections(exporter, parent, undefined, () => true)
  const epics = await unless(['not_licensed'], exportEpics(exporter, id, path))
  return {
    visibility: group.visibility,
    requestAccessEnabled: group.requestAccessEnabled,
    projectCreationLevel: group.projectCreationLevel,
    subgroupCreationLevel: group.subgroupCreationLevel,
    ...present({
      description: group.description,
      shareWithGroupLock: group.shareWithGroupLock,
      members,
      labels,
      milestones,
    }),
    ...(await exportContainerContent(exporter, parent)),
    ...present({ epics }),
  }
}

/** The content of a group and its subgroups for an archive, without their projects. */
export async function exportGroupContent(exporter: Exporter, id: number): Promise<GroupContentInput> {
  const { host } = exporter
  const group = await host.groups.get({ group: id, withProjects: false })
  const below = await readAll(host.groups.list, { parent: id, allAvailable: true, includeDescendants: true })
  const subgroups = []
  for (const subgroup of below.toSorted((a, b) => (a.fullPath < b.fullPath ? -1 : 1))) {
    const path = subgroup.fullPath.slice(group.fullPath.length + 1)
    subgroups.push({ path, name: subgroup.name, ...(await exportOne(exporter, subgroup)) })
  }
  const content = { ...(await exportOne(exporter, group)), ...present({ subgroups }) }
  return { ...content, users: await exportUserList(exporter, content) }
}

const mapItems = async (seeder: Seeder, group: Group, content: Content, target: ArchiveTarget): Promise<object> => {
  const { members = [], epics = [], boards, badges, wikiPages, labels, milestones } = content
  const { now } = target
  const parent = { group: group.id, path: group.fullPath, isNew: true }
  return {
    labels,
    milestones,
    members: await mapMembers(
      seeder,
      parent,
      members.map((member) => ({ ...member, synced: false })),
      target,
    ),
    boards: boards?.map((item) => limitTimes(item, now)),
    badges: badges?.map((item) => limitTimes(item, now)),
    wikiPages: wikiPages?.map((item) => limitTimes(item, now)),
    epics: epics.map(({ as: _, ...epic }) => ({
      ...limitTimes(epic, now),
      author: toAuthor(target, epic.author),
      description: attribute(target, epic, epic.description ?? ''),
      emoji: mapEmoji(target, epic.emoji),
      notes: mapNotes(target, epic.notes, now),
      todos: [],
    })),
  }
}

const addItems = async (seeder: Seeder, group: Group, content: Content, target: ArchiveTarget) => {
  const items = await mapItems(seeder, group, content, target)
  await seedSections(seeder, groupSections, items, { group: group.id, path: group.fullPath, isNew: true })
}

const selectDetails = (content: Content, parentVisibility: Group['visibility']) => {
  const { description = '', visibility = 'private', requestAccessEnabled, shareWithGroupLock } = content
  const { projectCreationLevel, subgroupCreationLevel } = content
  return {
    description,
    visibility: getLessVisible(visibility, parentVisibility),
    requestAccessEnabled,
    shareWithGroupLock,
    projectCreationLevel,
    subgroupCreationLevel,
  }
}

const addSubgroup = async (seeder: Seeder, top: Group, subgroup: SubgroupContent, target: ArchiveTarget) => {
  const { groups } = seeder.asHost()
  const path = `${top.fullPath}/${subgroup.path}`
  const lastSlash = path.lastIndexOf('/')
  const parent = await groups.get({ group: path.slice(0, lastSlash), withProjects: false })
  const details = selectDetails(subgroup, parent.visibility)
  const created = await groups.create({
    parent: parent.id,
    path: path.slice(lastSlash + 1),
    name: subgroup.name,
    ...details,
  })
  await seeder.endStep()
  await addItems(seeder, created, subgroup, target)
}

/** Adds the content of an archive to an empty group, and creates its subgroups. */
export async function addGroupContent(seeder: Seeder, content: GroupContent, target: ArchiveTarget): Promise<void> {
  const { groups } = seeder.asHost()
  const { id, parentId } = await groups.get({ group: target.id, withProjects: false })
  const parent = parentId === null ? undefined : await groups.get({ group: parentId, withProjects: false })
  const top = await groups.update({ group: id, ...selectDetails(content, parent?.visibility ?? 'public') })
  await addItems(seeder, top, content, target)
  for (const [index, subgroup] of content.subgroups.entries())
    await atSeedPath(`.subgroups[${index}]`, () => addSubgroup(seeder, top, subgroup, target), subgroup)
}
