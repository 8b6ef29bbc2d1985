import type { Platform } from '@forgelet/core'
import { demo } from '@forgelet/core/seed'

export interface CastMember {
  readonly username: string
  /** What they may do: `owner of acme`. */
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

const roleOf = ({
  username,
  admin,
  external,
}: {
  username: string
  admin?: boolean | undefined
  external?: boolean | undefined
}) => {
  const parts = [...(admin ? ['administrator'] : []), ...(external ? ['external'] : []), ...memberships(username)]
  return parts.length ? parts.join(', ') : 'a stranger: signed in, a member of nothing'
}

const opens = async (platform: Platform, token: string) => {
  try {
    await platform.authenticate(token)
    return true
  } catch {
    return false
  }
}

/** The users of the demo world whose tokens work in this one: all, some, or none where the data is somebody else's. */
export async function demoCast(platform: Platform): Promise<readonly CastMember[]> {
  const cast: CastMember[] = []
  for (const user of demo.users ?? []) {
    const token = user.tokens?.[0]?.secret
    if (token === undefined || !(await opens(platform, token))) continue
    cast.push({ username: user.username, role: roleOf(user), token })
  }
  return cast
}
