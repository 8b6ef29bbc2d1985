import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { empty, one, page } from '../send.ts'
import { DiscussionNoteWire, DiscussionWire } from '../shapes/discussion.ts'

const { discussions } = features

/** What discussions hang on: where it is found, how the path names it, and which input it is. */
const bases = [
  { at: '/projects/:id/issues/:issue_iid', parameter: 'issue_iid', input: 'issue', omit: ['author', 'position'] },
  { at: '/projects/:id/snippets/:snippet_id', parameter: 'snippet_id', input: 'snippet', omit: ['author', 'position'] },
  {
    at: '/projects/:id/merge_requests/:merge_request_iid',
    parameter: 'merge_request_iid',
    input: 'mergeRequest',
    omit: ['author'],
  },
  {
    at: '/groups/:id/epics/:epic_id',
    parameter: 'epic_id',
    input: 'epic',
    omit: ['author', 'createdAt', 'position'],
  },
] as const

const inputs = bases.map(({ input }) => input)

const resolved = route(
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id',
  discussions.resolve,
  one(DiscussionWire),
  { extension: true, names: { merge_request_iid: 'mergeRequest', discussion_id: 'discussion' } },
)

/** Notes that answer one another: not in the documents, but where review tools write. */
export const discussionRoutes = [
  resolved,
  ...bases.flatMap(({ at, parameter, input, omit: written }) => {
    const omit = inputs.filter((other) => other !== input)
    const called = { [parameter]: 'noteable_id' }
    const all = { extension: true, names: { [parameter]: input }, called, omit } as const
    const named = { ...all, names: { ...all.names, discussion_id: 'discussion' } }
    const single = { ...named, names: { ...named.names, note_id: 'note' } }
    const writing = [...omit, ...written]
    const answering = writing.filter((name) => name !== 'position')
    const path = `${at}/discussions` as const
    return [
      route(`GET ${path}`, discussions.list, page(DiscussionWire), all),
      route(`POST ${path}`, discussions.create, one(DiscussionWire), { ...all, omit: writing }),
      route(`GET ${path}/:discussion_id`, discussions.get, one(DiscussionWire), named),
      route(`POST ${path}/:discussion_id/notes`, discussions.reply, one(DiscussionNoteWire), {
        ...named,
        omit: answering,
      }),
      route(`PUT ${path}/:discussion_id/notes/:note_id`, discussions.updateNote, one(DiscussionNoteWire), single),
      route(`DELETE ${path}/:discussion_id/notes/:note_id`, discussions.removeNote, empty(), single),
    ]
  }),
]
