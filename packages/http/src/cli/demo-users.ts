import type { Platform } from '@forgelet/core'
import { demo } from '@forgelet/core/seed'

export interface DemoUser {
  readonly username: string
  /** `owner of acme`. */
  readonly role: string
  readonly token: string
}

type Access = string | number

const memberships = (username: string): readonly string[] => {
  const containers = [...(demo.groups ?? []), ...(demo.projects ?? [])]
  return containers.flatMap(({ path, members = [] }) =>
    members.filter(({ user }) => user === username).map(({ access }: { access: Access }) => `${access} of ${path}`),
  )
}

type SeedUser = NonNullable<typeof demo.users>[number]

const roleOf = ({ username, admin, external }: SeedUser) => {
  const parts = [...(admin ? ['administrator'] : []), ...(external ? ['external'] : []), ...memberships(username)]
  return parts.length ? parts.join(', ') : 'no memberships'
}

const isValidToken = async (platform: Platform, token: string) => {
  try {
    await platform.authenticate(token)
    return true
  } catch {
    return false
  }
}

/** The users of the demo data, without those that have no valid token; empty if the database contains other data. */
export async function demoUsers(platform: Platform): Promise<readonly DemoUser[]> {
  const users: DemoUser[] = []
  for (const user of demo.users ?? []) {
    const token = user.tokens?.[0]?.secret
    if (token === undefined || !(await isValidToken(platform, token))) continue
    users.push({ username: user.username, role: roleOf(user), token })
  }
  return users
}
