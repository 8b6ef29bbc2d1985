import { byOwner, type Client, type ClientCalls, type ClientWorld } from './client-world.ts'
import { epics, issues, mergeRequests, type Noteable, project, snippets } from './noteables.ts'

type Discuss = ClientWorld['alice']['discussions']['create']

const newDiscussion = async (kind: Noteable, world: ClientWorld) => {
  const { id, input } = await kind.create(world)
  const discussion = await world.alice.discussions.create({ ...input, body: 'Why?' } as Parameters<Discuss>[0])
  return { id, discussion: discussion.id, note: discussion.notes[0]?.id as number }
}

type Discussions = (
  api: Client,
) => Pick<Client['IssueDiscussions'], 'all' | 'show' | 'create' | 'addNote' | 'editNote' | 'removeNote'>

const discussionCallsOf = (kind: Noteable, discussions: Discussions): ClientCalls => {
  const { parent } = kind
  const base = `${kind.base}/discussions`
  return {
    [`GET ${base}`]: byOwner(async (api, world) => discussions(api).all(parent, (await kind.create(world)).id)),
    [`POST ${base}`]: byOwner(async (api, world) =>
      discussions(api).create(parent, (await kind.create(world)).id, 'Why?'),
    ),
    [`GET ${base}/:discussion_id`]: byOwner(async (api, world) => {
      const { id, discussion } = await newDiscussion(kind, world)
      return discussions(api).show(parent, id, discussion)
    }),
    [`POST ${base}/:discussion_id/notes`]: byOwner(async (api, world) => {
      const { id, discussion } = await newDiscussion(kind, world)
      return discussions(api).addNote(parent, id, discussion, 'Because')
    }),
    [`PUT ${base}/:discussion_id/notes/:note_id`]: byOwner(async (api, world) => {
      const { id, discussion, note } = await newDiscussion(kind, world)
      return discussions(api).editNote(parent, id, discussion, note, { body: 'How?' } as never)
    }),
    [`DELETE ${base}/:discussion_id/notes/:note_id`]: byOwner(async (api, world) => {
      const { id, discussion, note } = await newDiscussion(kind, world)
      return discussions(api).removeNote(parent, id, discussion, note)
    }),
  }
}

/** Discussions of all noteables. */
export const discussionCalls: ClientCalls = {
  ...discussionCallsOf(issues, (api) => api.IssueDiscussions),
  ...discussionCallsOf(mergeRequests, (api) => api.MergeRequestDiscussions),
  ...discussionCallsOf(snippets, (api) => api.ProjectSnippetDiscussions),
  ...discussionCallsOf(epics, (api) => api.EpicDiscussions),
  [`PUT ${mergeRequests.base}/discussions/:discussion_id`]: byOwner(async ({ MergeRequestDiscussions }, world) => {
    const { id, discussion } = await newDiscussion(mergeRequests, world)
    return MergeRequestDiscussions.resolve(project, id, discussion, true)
  }),
}
