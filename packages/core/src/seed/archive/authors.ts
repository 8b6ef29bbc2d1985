import type { ArchiveTarget } from '../../contract/archive-data.ts'

type Users = Pick<ArchiveTarget, 'users' | 'importer'>

/** Characters that a text with an attribution can have. */
const maxTextLength = 1_000_000

interface Written {
  readonly author: string
  readonly createdAt?: string | undefined
}

/** The username of an author, or of the importer for an unknown one. */
export const toAuthor = ({ users, importer }: Users, username: string): string => users.get(username) ?? importer

/** The known ones of some users, each once. */
export const toKnownUsers = ({ users }: Users, usernames: readonly string[]): string[] => [
  ...new Set(usernames.flatMap((username) => users.get(username) ?? [])),
]

interface Award {
  readonly name: string
  readonly users: readonly string[]
}

/** The award emoji of known users. */
export const mapEmoji = (users: Users, emoji: readonly Award[]) =>
  emoji
    .map((award) => ({ name: award.name, users: toKnownUsers(users, award.users) }))
    .filter((award) => award.users.length)

/** A text that names its author if the importer replaces them. Without `@`: another user can have the name here. */
export const attribute = (users: Users, { author, createdAt }: Written, text: string): string => {
  if (users.users.has(author)) return text
  const attribution = `*By ${author}${createdAt === undefined ? '' : ` on ${createdAt.slice(0, 10)}`} (imported)*`
  const attributed = text === '' ? attribution : `${text}\n\n${attribution}`
  return attributed.length > maxTextLength ? text : attributed
}

/** Times after the import become the time of the import. */
const limitTime = (text: string | undefined, now: string): string | undefined =>
  text !== undefined && Date.parse(text) > Date.parse(now) ? now : text

interface Timed {
  readonly createdAt?: string | undefined
  readonly endedAt?: string | undefined
}

/** An item without times in the future. */
export const limitTimes = <T extends Timed>(item: T, now: string): T => ({
  ...item,
  ...(item.createdAt !== undefined && { createdAt: limitTime(item.createdAt, now) }),
  ...(item.endedAt !== undefined && { endedAt: limitTime(item.endedAt, now) }),
})

interface Note extends Written {
  readonly as?: string | undefined
  readonly body: string
  readonly system?: boolean | undefined
  readonly replies?: readonly Reply[] | undefined
}

interface Reply extends Written {
  readonly body: string
}

const mapReply = <T extends Reply>(users: Users, reply: T, now: string): T => ({
  ...limitTimes(reply, now),
  author: toAuthor(users, reply.author),
  body: attribute(users, reply, reply.body),
})

/** The notes of an item with authors of this platform. */
export const mapNotes = <T extends Note>(users: Users, notes: readonly T[], now: string): T[] =>
  notes.map(({ as: _, ...rest }) => {
    const note = rest as unknown as T
    const replies = note.replies?.map((reply) => mapReply(users, reply, now))
    return { ...mapReply(users, note, now), ...(note.system && { body: note.body }), ...(replies && { replies }) }
  })

/** All usernames that some data names as authors, assignees and members. */
export function collectUsernames(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) collectUsernames(item, found)
  else if (value !== null && typeof value === 'object') {
    for (const [name, field] of Object.entries(value)) {
      if ((name === 'author' || name === 'user') && typeof field === 'string') found.add(field)
      else if ((name === 'assignees' || name === 'reviewers' || name === 'users') && Array.isArray(field))
        for (const username of field) found.add(String(username))
      else collectUsernames(field, found)
    }
  }
  return found
}
