import { accessToGroup, accessToProject } from '../../access/membership.ts'
import { lower } from '../../db/functions.ts'
import type { Person } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import type { Noteable } from '../../policy.ts'
import { mentions } from '../../ports/markdown/mentions.ts'
import type { Mentioned } from './note.ts'
import { readable } from './noteable.ts'

/** Names in one query: databases bound the number of parameters. */
const batch = 200

const peopleNamed = async (ctx: Context, names: readonly string[]): Promise<Person[]> => {
  const people: Person[] = []
  for (let at = 0; at < names.length; at += batch) {
    const rows = await ctx.db
      .selectFrom('user')
      .where(lower('username'), 'in', names.slice(at, at + batch))
      .where('state', '=', 'active')
      .select(['id', 'username', 'name', 'admin', 'external'])
      .execute()
    people.push(...rows.map((row): Person => ({ ...row, kind: 'user', scopes: null })))
  }
  return people
}

const isAssigned = async (ctx: Context, issueId: number, userId: number): Promise<boolean> => {
  const row = await ctx.db
    .selectFrom('issueAssignee')
    .where('issueId', '=', issueId)
    .where('userId', '=', userId)
    .select('issueId')
    .executeTakeFirst()
  return row !== undefined
}

/** The same thing as somebody else finds it who is no member; nothing is asked for what everybody can read. */
const toStranger = (found: Noteable): Noteable => {
  const stranger = { ...found, access: 0 }
  return stranger.kind === 'issue' ? { ...stranger, assigned: false } : stranger
}

const toPerson = async (ctx: Context, found: Noteable, person: Person): Promise<Noteable> => {
  const theirs = { ...ctx, actor: person }
  if (found.kind === 'epic') return { ...found, access: await accessToGroup(theirs, found.group.id) }
  const access = found.project ? await accessToProject(theirs, found.project) : 0
  if (found.kind !== 'issue') return { ...found, access }
  return { ...found, access, assigned: await isAssigned(ctx, found.issue.id, person.id) }
}

/** Whether a person can read what notes hang on, whoever it was found for. */
export const reaches = async (ctx: Context, found: Noteable, person: Person): Promise<boolean> =>
  readable(person, toStranger(found)) || readable(person, await toPerson(ctx, found, person))

/**
 * The users whom a text mentions, as far as they can read what it is written on, in the order of the text. Names that
 * `before` mentioned already are left out.
 */
export async function mentionedIn(ctx: Context, found: Noteable, text: string, before = ''): Promise<Mentioned[]> {
  const all = mentions(text)
  if (!all.length) return []
  const known = new Set(mentions(before).map(({ name }) => name.toLowerCase()))
  const named = all
    .map(({ name, addressed }) => ({ name: name.toLowerCase(), direct: addressed }))
    .filter(({ name }) => !known.has(name))
  const people = await peopleNamed(
    ctx,
    named.map(({ name }) => name),
  )
  const byName = new Map(people.map((person) => [person.username.toLowerCase(), person]))
  const reached: Mentioned[] = []
  for (const { name, direct } of named) {
    const person = byName.get(name)
    if (!person) continue
    if (await reaches(ctx, found, person)) reached.push({ userId: person.id, direct })
  }
  return reached
}
