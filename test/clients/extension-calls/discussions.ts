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

type Methods = Pick<Client['IssueDiscussions'], 'all' | 'show' | 'create' | 'addNote' | 'editNote' | 'removeNote'>

type Discussions = (api: Client) => Methods

/** Items with discussions. */
interface Discussed {
  /** Path of the items. */
  readonly base: string
  /** Full path of the project or group of the items. */
  readonly parent: string
  /** The number of an item. */
  find(world: ClientWorld): Promise<number>
  /** Creates a discussion of an item. */
  discuss(world: ClientWorld): Promise<{
    readonly id: number
    readonly discussion: string
    readonly note: number
  }>
}

type Discuss = ClientWorld['alice']['discussions']['create']

const ofNoteable = (kind: Noteable): Discussed => ({
  ...kind,
  find: async (world) => (await kind.create(world)).id,
  async discuss(world) {
    const { id, input } = await kind.create(world)
    const discussion = await stored(
      world.alice.discussions.create({ ...input, body: 'Why?' } as Parameters<Discuss>[0]),
    )
    return { id, discussion: discussion.id, note: discussion.notes[0]?.id as number }
  },
})

/** The methods for commits differ only in the type of the SHA, which they take instead of a number. */
const commits: Discussed = {
  base: '/projects/:id/repository/commits/:sha',
  parent: project,
  find: async ({ head }) => head as unknown as number,
  async discuss({ alice, head }) {
    const { id, notes } = await stored(alice.discussions.create({ project, commit: head, body: 'Why?' }))
    return { id: head as unknown as number, discussion: id, note: notes[0]?.id as number }
  },
}

const discussionCallsOf = (kind: Discussed, discussions: Discussions): ClientCalls => {
  const { parent } = kind
  const base = `${kind.base}/discussions`
  return {
    [`GET ${base}`]: byOwner(async (api, world) => discussions(api).all(parent, await kind.find(world))),
    [`POST ${base}`]: byOwner(async (api, world) => discussions(api).create(parent, await kind.find(world), 'Why?')),
    [`GET ${base}/:discussion_id`]: byOwner(async (api, world) => {
      const { id, discussion } = await kind.discuss(world)
      return discussions(api).show(parent, id, discussion)
    }),
    [`POST ${base}/:discussion_id/notes`]: byOwner(async (api, world) => {
      const { id, discussion } = await kind.discuss(world)
      return discussions(api).addNote(parent, id, discussion, 'Because')
    }),
    [`PUT ${base}/:discussion_id/notes/:note_id`]: byOwner(async (api, world) => {
      const { id, discussion, note } = await kind.discuss(world)
      return discussions(api).editNote(parent, id, discussion, note, { body: 'How?' } as never)
    }),
    [`DELETE ${base}/:discussion_id/notes/:note_id`]: byOwner(async (api, world) => {
      const { id, discussion, note } = await kind.discuss(world)
      return discussions(api).removeNote(parent, id, discussion, note)
    }),
  }
}

/** Discussions of all items. */
export const discussionCalls: ClientCalls = {
  ...discussionCallsOf(ofNoteable(issues), (api) => api.IssueDiscussions),
  ...discussionCallsOf(ofNoteable(mergeRequests), (api) => api.MergeRequestDiscussions),
  ...discussionCallsOf(ofNoteable(snippets), (api) => api.ProjectSnippetDiscussions),
  ...discussionCallsOf(ofNoteable(epics), (api) => api.EpicDiscussions),
  ...discussionCallsOf(commits, (api) => api.CommitDiscussions as unknown as Methods),
  [`PUT ${mergeRequests.base}/discussions/:discussion_id`]: byOwner(async ({ MergeRequestDiscussions }, world) => {
    const { id, discussion } = await ofNoteable(mergeRequests).discuss(world)
    return MergeRequestDiscussions.resolve(project, id, discussion, true)
  }),
}

export const unsupportedDiscussionRoutes: UnsupportedRoutes = Object.fromEntries(
  [issues, mergeRequests, snippets, epics, commits].map(({ base }) => [
    `GET ${base}/discussions/:discussion_id/notes/:note_id`,
    noCall,
  ]),
)
