import { lower } from '../../../db/functions.ts'
import type { Reference } from '../../../ports/markdown/reference.ts'
import { findVisibleGroup } from './group-references.ts'
import type { ResolutionContext } from './resolution-context.ts'

const maxGroups = 100

/** Resolves `@user` and `@group/subgroup`. All users are visible; groups only to users with access. */
export async function resolveUsersAndGroups(
  { ctx, url, setResolved }: ResolutionContext,
  references: readonly Reference[],
): Promise<void> {
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
      setResolved(reference, {
        url: url(`/${username}`),
        title: name,
        text: `@${username}`,
        attributes: { 'data-user': String(id) },
      })
      continue
    }
    if (++groups > maxGroups) continue
    const subject = await findVisibleGroup(ctx, reference.value)
    if (!subject) continue
    const { fullPath, fullName, id } = subject.group
    setResolved(reference, {
      url: url(`/groups/${fullPath}`),
      title: fullName,
      text: `@${fullPath}`,
      attributes: { 'data-group': String(id) },
    })
  }
}
