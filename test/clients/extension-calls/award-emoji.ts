import { stored } from '../../stored.ts'
import {
  byOwner,
  type Client,
  type ClientCalls,
  type ClientWorld,
  noCall,
  type UnsupportedRoutes,
} from './client-world.ts'
import { epics, issues, mergeRequests, type Noteable, project, snippets } from './noteables.ts'

type Awards = Pick<Client['IssueAwardEmojis'], 'all' | 'show' | 'award' | 'remove'>

/** An emoji that alice gave to an item. */
const newAward = async (kind: Noteable, world: ClientWorld) => {
  const { id } = await kind.create(world)
  const { awardEmoji } = world.alice
  const name = 'rocket'
  if (kind === issues) return { id, award: (await awardEmoji.create({ project, issue: id, name })).id }
  if (kind === snippets) return { id, award: (await awardEmoji.create({ project, snippet: id, name })).id }
  return { id, award: (await awardEmoji.create({ project, mergeRequest: id, name })).id }
}

const awardCallsOf = (kind: Noteable, awards: (api: Client) => Awards): ClientCalls => {
  const base = `${kind.base}/award_emoji`
  return {
    [`GET ${base}`]: byOwner(async (api, world) => awards(api).all(project, (await kind.create(world)).id)),
    [`POST ${base}`]: byOwner(async (api, world) => awards(api).award(project, (await kind.create(world)).id, 'heart')),
    [`GET ${base}/:award_id`]: byOwner(async (api, world) => {
      const { id, award } = await newAward(kind, world)
      return awards(api).show(project, id, award)
    }),
    [`DELETE ${base}/:award_id`]: byOwner(async (api, world) => {
      const { id, award } = await newAward(kind, world)
      return awards(api).remove(project, id, award)
    }),
  }
}

type NoteAwards = Pick<Client['IssueNoteAwardEmojis'], 'all' | 'show' | 'award' | 'remove'>

const newNote = async (kind: Noteable, world: ClientWorld) => {
  const { id, input } = await kind.create(world)
  const body = { ...input, body: 'A note' } as Parameters<ClientWorld['alice']['notes']['create']>[0]
  return { id, input, note: (await stored(world.alice.notes.create(body))).id }
}

/** An emoji that alice gave to a new note. */
const newNoteAward = async (kind: Noteable, world: ClientWorld) => {
  const { id, input, note } = await newNote(kind, world)
  const award = { ...input, note, name: 'rocket' }
  const { create } = world.alice.awardEmoji
  return { id, note, award: (await create(award as Parameters<typeof create>[0])).id }
}

const noteAwardCallsOf = (kind: Noteable, awards: (api: Client) => NoteAwards): ClientCalls => {
  const base = `${kind.base}/notes/:note_id/award_emoji`
  return {
    [`GET ${base}`]: byOwner(async (api, world) => {
      const { id, note } = await newNote(kind, world)
      return awards(api).all(project, id, note)
    }),
    [`POST ${base}`]: byOwner(async (api, world) => {
      const { id, note } = await newNote(kind, world)
      return awards(api).award(project, id, note, 'heart')
    }),
    [`GET ${base}/:award_id`]: byOwner(async (api, world) => {
      const { id, note, award } = await newNoteAward(kind, world)
      return awards(api).show(project, id, note, award)
    }),
    [`DELETE ${base}/:award_id`]: byOwner(async (api, world) => {
      const { id, note, award } = await newNoteAward(kind, world)
      return awards(api).remove(project, id, note, award)
    }),
  }
}

/** Award emoji of issues, merge requests, snippets and notes. */
export const awardEmojiCalls: ClientCalls = {
  ...awardCallsOf(issues, (api) => api.IssueAwardEmojis),
  ...awardCallsOf(mergeRequests, (api) => api.MergeRequestAwardEmojis),
  ...awardCallsOf(snippets, (api) => api.ProjectSnippetAwardEmojis),
  ...noteAwardCallsOf(issues, (api) => api.IssueNoteAwardEmojis),
  ...noteAwardCallsOf(mergeRequests, (api) => api.MergeRequestNoteAwardEmojis),
}

const noteAwardRoutes = ({ base }: Noteable) => {
  const path = `${base}/notes/:note_id/award_emoji`
  return [`GET ${path}`, `POST ${path}`, `GET ${path}/:award_id`, `DELETE ${path}/:award_id`]
}

const epicAwards = '/groups/:id/epics/:epic_iid/award_emoji'
const epicAwardRoutes = [
  ...['GET', 'POST'].map((method) => `${method} ${epicAwards}`),
  ...['GET', 'DELETE'].map((method) => `${method} ${epicAwards}/:award_id`),
]

export const unsupportedAwardEmojiRoutes: UnsupportedRoutes = Object.fromEntries([
  ...[snippets, epics].flatMap(noteAwardRoutes).map((line) => [line, noCall]),
  ...epicAwardRoutes.map((line) => [line, 'the client calls /epics/:id/issues/ instead']),
])
