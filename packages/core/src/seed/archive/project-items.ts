import type { ArchiveTarget } from '../../contract/archive-data.ts'
import { readAll } from '../pages.ts'
import type { SectionParent } from '../section-parent.ts'
import type { Seeder } from '../seeder.ts'
import { attribute, limitTimes, mapEmoji, mapNotes, toAuthor, toKnownUsers } from './authors.ts'
import { mapMembers } from './container-content.ts'
import { selectMissingItems } from './inherited-items.ts'
import type { ProjectContent } from './project-schema.ts'

type Issuable = NonNullable<ProjectContent['issues']>[number] | NonNullable<ProjectContent['mergeRequests']>[number]

/** To-dos belong to the users of the exported project; names for results of seeds have no use here. */
const mapIssuable = <T extends Issuable>(target: ArchiveTarget, item: T, now: string): T => {
  const { as: _, ...rest } = item
  return {
    ...(limitTimes(rest, now) as T),
    author: toAuthor(target, item.author),
    description: attribute(target, item, item.description ?? ''),
    assignees: toKnownUsers(target, item.assignees ?? []),
    emoji: mapEmoji(target, item.emoji),
    notes: mapNotes(target, item.notes, now),
    todos: [],
  }
}

const mapSnippet = (
  target: ArchiveTarget,
  { as: _, userAgent: _agent, ipAddress: _address, ...item }: NonNullable<ProjectContent['snippets']>[number],
  now: string,
) => ({ ...limitTimes(item, now), author: toAuthor(target, item.author), notes: mapNotes(target, item.notes, now) })

interface Grants {
  readonly levels: readonly number[]
  readonly users: readonly string[]
  readonly groups: readonly string[]
  readonly deployKeys?: readonly string[]
}

/** Maintainers have what only deploy keys, groups, and users had who are no members here. */
const mapGrants = <T extends Grants>(
  target: ArchiveTarget,
  members: ReadonlySet<string>,
  grants: T | undefined,
): T | undefined => {
  if (!grants) return undefined
  const users = toKnownUsers(target, grants.users).filter((username) => members.has(username))
  const hadOthers = grants.users.length + grants.groups.length + (grants.deployKeys?.length ?? 0) > 0
  return {
    ...grants,
    groups: [],
    ...(grants.deployKeys && { deployKeys: [] }),
    users,
    levels: !grants.levels.length && !users.length && hadOthers ? [40] : grants.levels,
  }
}

/** The items of a project with users of this platform. */
export async function mapProjectItems(
  seeder: Seeder,
  parent: SectionParent,
  content: ProjectContent,
  target: ArchiveTarget,
): Promise<object> {
  const { members = [], issues = [], mergeRequests = [], snippets = [], releases = [], hooks = [] } = content
  const { now } = target
  const added = await mapMembers(seeder, parent, members, target)
  const present = await readAll(seeder.asHost().members.list, { project: target.id, inherited: true })
  const usernames = new Set([...added.map(({ user }) => user), ...present.map(({ username }) => username)])
  const { labels, milestones } = await selectMissingItems(seeder, target.id, content)
  return {
    ...content,
    // Subscriptions belong to the users of the exported project.
    labels: labels?.map((label) => ({ ...label, subscribers: [] })),
    milestones,
    members: added,
    // Epics belong to groups, and the importer may lack access to them.
    issues: issues.map(({ epic: _, ...item }) => ({
      ...mapIssuable(target, item, now),
      // Links to other projects name those of the exported platform.
      links: item.links.filter(({ project }) => project === undefined),
    })),
    mergeRequests: mergeRequests.map(({ reviewers = [], ...item }) => ({
      ...mapIssuable(target, item, now),
      reviewers: toKnownUsers(target, reviewers),
    })),
    snippets: snippets.map((item) => mapSnippet(target, item, now)),
    releases: releases.map((item) => ({ ...limitTimes(item, now), author: toAuthor(target, item.author) })),
    boards: content.boards?.map((item) => limitTimes(item, now)),
    badges: content.badges?.map((item) => limitTimes(item, now)),
    wikiPages: content.wikiPages?.map((item) => limitTimes(item, now)),
    protectedBranches: content.protectedBranches?.map((rule) => ({
      ...rule,
      push: mapGrants(target, usernames, rule.push),
      merge: mapGrants(target, usernames, rule.merge),
      unprotect: mapGrants(target, usernames, rule.unprotect),
    })),
    protectedTags: content.protectedTags?.map((rule) => ({
      ...rule,
      create: mapGrants(target, usernames, rule.create),
    })),
    hooks: hooks.map(({ as: _, ...hook }) => limitTimes(hook, now)),
  }
}
