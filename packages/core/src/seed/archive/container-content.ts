import * as v from 'valibot'
import type { ArchiveTarget } from '../../contract/archive-data.ts'
import { badgesSection } from '../badges.ts'
import { boardsSection } from '../boards.ts'
import type { Exporter } from '../export/exporter.ts'
import { present, unless } from '../export/exporter.ts'
import { readAll } from '../pages.ts'
import { type SectionParent, toParentInput } from '../section-parent.ts'
import type { Seeder } from '../seeder.ts'
import { archivedSections } from '../shared-sections.ts'
import { wikiPagesSection } from '../wiki-pages.ts'
import { collectUsernames } from './authors.ts'

/** The sections of projects and groups in archives, in seeding order. */
export const containerSections = [...archivedSections, badgesSection, boardsSection, wikiPagesSection] as const

/** Users that the content names. Members and authors without an account become the importer. */
export const UserList = v.optional(
  v.pipe(v.array(v.strictObject({ username: v.string(), publicEmail: v.optional(v.string()) })), v.maxLength(10_000)),
  [],
)

/** The users that some content names, with the e-mail addresses that they publish. */
export async function exportUserList({ host }: Exporter, content: unknown): Promise<v.InferInput<typeof UserList>> {
  const users = []
  for (const username of collectUsernames(content)) {
    const profile = await unless(['not_found'], host.users.get({ user: username }))
    if (profile) users.push({ username, ...present({ publicEmail: profile.publicEmail }) })
  }
  return users
}

interface Member {
  readonly user: string
}

/** The members who are known here and no members yet; none unless an administrator imports. */
export async function mapMembers<T extends Member>(
  seeder: Seeder,
  parent: SectionParent,
  members: readonly T[],
  { users, addsMembers }: ArchiveTarget,
): Promise<T[]> {
  if (!addsMembers) return []
  const { members: existing } = seeder.asHost()
  const present = new Set((await readAll(existing.list, { ...toParentInput(parent) })).map(({ username }) => username))
  const mapped = members.flatMap((member) => {
    const user = users.get(member.user)
    return user === undefined || present.has(user) ? [] : [{ ...member, user }]
  })
  return [...new Map(mapped.map((member) => [member.user, member])).values()]
}
