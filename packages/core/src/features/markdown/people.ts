import { lower } from '../../db/functions.ts'
import type { Reference } from '../../ports/markdown/reference.ts'
import { visibleGroup } from './in-groups.ts'
import type { Resolving } from './resolver.ts'

const mostGroups = 100

/** `@user` and `@group/subgroup`. Users are known to everybody; a group only to those who can see it. */
export async function resolvePeople({ ctx, url, found }: Resolving, references: readonly Reference[]): Promise<void> {
  const named = references.filter(({ kind }) => kind === 'user')
  if (!named.length) return
  const names = named.map(({ value }) => value.toLowerCase())
  const users = await ctx.db
    .selectFrom('user')
    .where(lower('username'), 'in', names)
    .select(['id', 'username', 'name'])
    .execute()
  const byName = new Map(users.map((user) => [user.username.toLowerCase(), user]))
  let groups = 0
  for (const reference of named) {
    const user = byName.get(reference.value.toLowerCase())
    if (user) {
      const { id, username, name } = user
      found(reference, {
        url: url(`/${username}`),
        title: name,
        text: `@${username}`,
        attributes: { 'data-user': String(id) },
      })
      continue
    }
    if (++groups > mostGroups) continue
    const place = await visibleGroup(ctx, reference.value)
    if (!place) continue
    const { fullPath, fullName, id } = place.group
    found(reference, {
      url: url(`/groups/${fullPath}`),
      title: fullName,
      text: `@${fullPath}`,
      attributes: { 'data-group': String(id) },
    })
  }
}
