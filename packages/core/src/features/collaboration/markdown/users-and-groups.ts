import { withGrants } from '../../../access/grants.ts'
import { readableSnippets } from '../../../access/predicates.ts'
import { lower } from '../../../db/functions.ts'
import type { Reference } from '../../../ports/markdown/reference.ts'
import { snippetRows } from '../snippets/queries.ts'
import { findVisibleGroup } from './group-references.ts'
import type { ResolutionContext } from './resolution-context.ts'

/** Resolves `$12`, a snippet by its global id. With a project path, the snippet must belong to that project. */
export async function resolveSnippets(
  { ctx, url, setResolved }: ResolutionContext,
  references: readonly Reference[],
): Promise<void> {
  const requested = references.filter(({ kind }) => kind === 'snippet')
  if (!requested.length) return
  const rows = await snippetRows(ctx)
    .where(
      'snippet.id',
      'in',
      requested.map(({ value }) => Number(value)),
    )
    .where(readableSnippets(await withGrants(ctx)))
    .select(['snippet.id', 'snippet.title', 'project.fullPath'])
    .execute()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  for (const reference of requested) {
    const row = byId.get(reference.value)
    if (!row) continue
    const { id, title, fullPath } = row
    if (reference.project !== undefined && reference.project.toLowerCase() !== fullPath?.toLowerCase()) continue
    setResolved(reference, { url: url(fullPath === null ? `/snippets/${id}` : `/${fullPath}/-/snippets/${id}`), title })
  }
}

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
