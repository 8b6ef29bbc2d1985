import * as v from 'valibot'
import type { Session } from '../session.ts'

/** The users and groups of a grant; the sections of protected objects add the levels that exist there. */
export const granteeEntries = {
  /** Usernames. */
  users: v.optional(v.array(v.string()), []),
  /** Full paths. */
  groups: v.optional(v.array(v.string()), []),
}

interface Grants<Level> {
  readonly levels: readonly Level[]
  readonly users: readonly string[]
  readonly groups: readonly string[]
}

interface Grant<Level> {
  accessLevel?: Level
  userId?: number
  groupId?: number
}

/** One grant for each level, user and group. */
export const toGrantList = async <Level>(
  host: Session,
  { levels, users, groups }: Grants<Level>,
): Promise<Grant<Level>[]> => {
  const list: Grant<Level>[] = levels.map((accessLevel) => ({ accessLevel }))
  for (const user of users) list.push({ userId: (await host.users.get({ user })).id })
  for (const group of groups) list.push({ groupId: (await host.groups.get({ group, withProjects: false })).id })
  return list
}
