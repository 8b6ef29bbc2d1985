import { PlatformError, type Session } from '@forgelet/core'
import type { Award, ItemReference } from '@forgelet/core/operations'
import { AwardWire } from '../../shapes/award-emoji.ts'
import { IssueWire } from '../../shapes/issue.ts'
import { MergeRequestWire } from '../../shapes/merge-request.ts'
import { type ReadPage, readConnection } from '../connection.ts'
import { parseGlobalId } from '../global-id.ts'
import { findItem, findNote, getReference, type Item, type NoteReference, noteKinds } from '../references.ts'
import type { Arguments, GraphqlContext, Json, Resolver } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { readNote } from './notes.ts'

/** The operations on the emoji of an item or a note. */
const awardsOf = ({ awardEmoji }: Session, target: ItemReference | NoteReference) => ({
  list: ((window) => awardEmoji.list({ ...target, ...window })) satisfies ReadPage<Award>,
  create: (name: string) => awardEmoji.create({ ...target, name }),
  remove: (award: number) => awardEmoji.remove({ ...target, award }),
})

const isNoteId = (text: unknown) => noteKinds.some((kind) => kind === parseGlobalId(text).kind)

const findTarget = async (session: Session, text: unknown): Promise<ItemReference | NoteReference> => {
  if (!isNoteId(text)) return findItem(session, text)
  const { item, note } = await findNote(session, text)
  return { ...item, note }
}

/** The emoji of an issue, a merge request or a note. */
export const readAwards: Resolver = (
  source: Item & { readonly id: number; readonly item?: ItemReference },
  args,
  { session, site },
) => {
  const target = source.item ? { ...source.item, note: source.id } : getReference(source)
  return readConnection(args, (award: Award) => AwardWire(award, site), awardsOf(session, target).list)
}

/** The current user's emoji with this name. */
const findOwn = async (list: ReadPage<Award>, userId: number, name: string): Promise<Award | undefined> => {
  for (let page = 1; ; page++) {
    const { items, hasNext } = await list({ page, perPage: 100 })
    const own = items.find((award) => award.name === name && award.user.id === userId)
    if (own || !hasNext) return own
  }
}

/** Clients send names with and without colons. */
const readName = ({ name }: Arguments) => String(name).replaceAll(':', '')

const add = async (input: Arguments, { session, site }: GraphqlContext): Promise<Json> => {
  const { create } = awardsOf(session, await findTarget(session, input.awardableId))
  return { award_emoji: AwardWire(await create(readName(input)), site), toggled_on: true }
}

const remove = async (input: Arguments, { session, site }: GraphqlContext): Promise<Json | undefined> => {
  const awards = awardsOf(session, await findTarget(session, input.awardableId))
  const { id } = await session.users.get()
  const own = await findOwn(awards.list, id, readName(input))
  if (!own) return undefined
  await awards.remove(own.id)
  return { award_emoji: AwardWire(own, site), toggled_on: false }
}

/** An issue, merge request or note as JSON, with the name of its type. */
const readAwardable: Resolver = async (_source, { id }, context) => {
  const { session, site } = context
  if (isNoteId(id)) return { ...(await readNote(id, context)), __typename: 'Note' }
  const item = await findItem(session, id)
  if ('issue' in item) return { ...IssueWire(await session.issues.get(item), site), __typename: 'Issue' }
  if (!('mergeRequest' in item)) return null
  return { ...MergeRequestWire(await session.mergeRequests.get(item), site), __typename: 'MergeRequest' }
}

const mutationInput = 'awardableId: AwardableID! name: String!'
const connection = `awardEmoji(${paging}): AwardEmojiConnection`
const calls = { calls: { awardEmoji: readAwards } }

/** Emoji of issues, merge requests and notes. */
export const awardEmojiPart: SchemaPart = {
  types: `
type AwardEmoji { name: String! user: UserCore! }

interface Awardable { ${connection} }
extend type Issue { ${connection} }
extend type MergeRequest { ${connection} }
extend type Note { ${connection} }
extend type Query { awardable(id: AwardableID!): Awardable }
`,
  resolvers: {
    Awardable: calls,
    Issue: calls,
    MergeRequest: calls,
    Note: calls,
    Query: { calls: { awardable: readAwardable } },
  },
  mutations: {
    awardEmojiAdd: { input: mutationInput, payload: 'awardEmoji: AwardEmoji', run: add },
    awardEmojiRemove: {
      input: mutationInput,
      payload: 'awardEmoji: AwardEmoji',
      async run(input, context) {
        const removed = await remove(input, context)
        if (!removed) throw new PlatformError('invalid', 'You have not given this emoji')
        return removed
      },
    },
    awardEmojiToggle: {
      input: mutationInput,
      payload: 'awardEmoji: AwardEmoji toggledOn: Boolean',
      run: async (input, context) => (await remove(input, context)) ?? add(input, context),
    },
  },
}
