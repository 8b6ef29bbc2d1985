import { type Exporter, present } from './exporter.ts'

interface Grant<Level> {
  readonly accessLevel: Level | null
  readonly userId: number | null
  readonly groupId: number | null
}

/** The levels, usernames and group paths of grants, without empty lists. */
export const exportGrants = async <Level>({ host }: Exporter, grants: readonly Grant<Level>[]) => {
  const levels: Level[] = []
  const users: string[] = []
  const groups: string[] = []
  for (const { accessLevel, userId, groupId } of grants) {
    if (userId !== null) users.push((await host.users.get({ user: userId })).username)
    else if (groupId !== null) groups.push((await host.groups.get({ group: groupId, withProjects: false })).fullPath)
    else if (accessLevel !== null) levels.push(accessLevel)
  }
  return present({ levels, users, groups })
}
