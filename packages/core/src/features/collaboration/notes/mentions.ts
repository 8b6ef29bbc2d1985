import { getGroupAccessLevel, getProjectAccessLevel } from '../../../access/actor-level.ts'
import type { Noteable, Subjects } from '../../../contract/subjects.ts'
import { lower } from '../../../db/functions.ts'
import type { UserActor } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { isVisibleTo } from '../../../policy/visible.ts'
import { findMentions } from '../../../ports/markdown/mentions.ts'
import type { MentionedUser } from './note.ts'
import { toNoteSubject } from './noteable.ts'

/** Names per query: databases limit the number of parameters. */
const batchSize = 200

const findUsersByName = async (ctx: Context, names: readonly string[]): Promise<UserActor[]> => {
  const users: UserActor[] = []
  for (let start = 0; start < names.length; start += batchSize) {
    const rows = await ctx.db
      .selectFrom('user')
      .where(lower('username'), 'in', names.slice(start, start + batchSize))
      .where('state', '=', 'active')
      .select(['id', 'username', 'name', 'admin', 'external', 'bot'])
      .execute()
    users.push(...rows.map((row): UserActor => ({ ...row, kind: 'user', scopes: null })))
  }
  return users
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

type Readable = Noteable | Subjects['note']

/** The subject for a user without a membership, which needs no queries: enough for public subjects. */
const asNonMember = (subject: Noteable): Noteable => {
  const nonMember = { ...subject, access: 0 }
  return nonMember.kind === 'issue' ? { ...nonMember, isAssignee: false } : nonMember
}

const asUser = async (ctx: Context, subject: Noteable, user: UserActor): Promise<Noteable> => {
  const userCtx = { ...ctx, actor: user }
  if (subject.kind === 'epic') return { ...subject, access: await getGroupAccessLevel(userCtx, subject.group.id) }
  const access = subject.project ? await getProjectAccessLevel(userCtx, subject.project) : 0
  if (subject.kind !== 'issue') return { ...subject, access }
  return { ...subject, access, isAssignee: await isAssigned(ctx, subject.issue.id, user.id) }
}

/** Whether `user` can read the noteable or the note. `subject` may have been loaded for another user. */
export const canRead = async (ctx: Context, subject: Readable, user: UserActor): Promise<boolean> => {
  const noteable = subject.kind === 'note' ? subject.noteable : subject
  const isReadable = (loaded: Noteable) =>
    isVisibleTo(user, subject.kind === 'note' ? toNoteSubject(loaded, subject.note) : loaded)
  return isReadable(asNonMember(noteable)) || isReadable(await asUser(ctx, noteable, user))
}

/**
 * The mentioned users who can read the noteable or the note, in order of mention. Excludes users that `before`, the previous text,
 * mentions.
 */
export async function findMentionedUsers(
  ctx: Context,
  subject: Readable,
  text: string,
  before = '',
): Promise<MentionedUser[]> {
  const newMentions = findMentions(text, before).map(({ name, addressed }) => ({
    name: name.toLowerCase(),
    direct: addressed,
  }))
  if (!newMentions.length) return []
  const users = await findUsersByName(
    ctx,
    newMentions.map(({ name }) => name),
  )
  const byName = new Map(users.map((user) => [user.username.toLowerCase(), user]))
  const mentioned = newMentions.flatMap(({ name, direct }) => {
    const user = byName.get(name)
    return user ? [{ user, direct }] : []
  })
  const readable = await awaitAll(mentioned.map(({ user }) => canRead(ctx, subject, user)))
  return mentioned.filter((_, at) => readable[at]).map(({ user, direct }) => ({ userId: user.id, direct }))
}
