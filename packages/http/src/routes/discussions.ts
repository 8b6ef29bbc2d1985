import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { DiscussionNoteWire, DiscussionWire } from '../shapes/discussion.ts'

const { discussions } = features

/** The resources that have discussions. `hiddenOnCreate` lists inputs that a new discussion does not take. */
const noteables = [
  {
    base: '/projects/:id/issues/:issue_iid',
    parameter: 'issue_iid',
    input: 'issue',
    hiddenOnCreate: ['author', 'position', 'storedPosition'],
  },
  {
    base: '/projects/:id/snippets/:snippet_id',
    parameter: 'snippet_id',
    input: 'snippet',
    hiddenOnCreate: ['author', 'position', 'storedPosition'],
  },
  {
    base: '/projects/:id/merge_requests/:merge_request_iid',
    parameter: 'merge_request_iid',
    input: 'mergeRequest',
    hiddenOnCreate: ['author', 'storedPosition'],
  },
  {
    base: '/groups/:id/epics/:epic_id',
    parameter: 'epic_id',
    input: 'epicId',
    hiddenOnCreate: ['author', 'createdAt', 'position', 'storedPosition'],
  },
] as const

/** Routes contain the id of an epic, not its iid. */
const inputs = [...noteables.map(({ input }) => input), 'epic']

const resolveRoute = route(
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id',
  discussions.resolve,
  one(DiscussionWire),
  { extension: true, names: { merge_request_iid: 'mergeRequest', discussion_id: 'discussion' } },
)

/** Not in the specification; code review tools write their comments here. */
export const discussionRoutes = [
  resolveRoute,
  ...noteables.flatMap(({ base, parameter, input, hiddenOnCreate }) => {
    const hidden = inputs.filter((other) => other !== input)
    const options = {
      extension: true,
      names: { [parameter]: input },
      errorNames: { [parameter]: 'noteable_id' },
      hidden,
    } as const
    const discussionOptions = {
      ...options,
      names: { ...options.names, discussion_id: 'discussion' },
    } satisfies RouteOptions
    const noteOptions = { ...options, names: { ...discussionOptions.names, note_id: 'note' } } satisfies RouteOptions
    const path = `${base}/discussions` as const
    return [
      route(`GET ${path}`, discussions.list, page(DiscussionWire), options),
      route(`POST ${path}`, discussions.create, one(DiscussionWire), {
        ...options,
        hidden: [...hidden, ...hiddenOnCreate],
      }),
      route(`GET ${path}/:discussion_id`, discussions.get, one(DiscussionWire), discussionOptions),
      route(`POST ${path}/:discussion_id/notes`, discussions.reply, one(DiscussionNoteWire), {
        ...discussionOptions,
        hidden: [...hidden, ...hiddenOnCreate.filter((name) => name !== 'position' && name !== 'storedPosition')],
      }),
      route(`GET ${path}/:discussion_id/notes/:note_id`, discussions.getNote, one(DiscussionNoteWire), noteOptions),
      route(`PUT ${path}/:discussion_id/notes/:note_id`, discussions.updateNote, one(DiscussionNoteWire), noteOptions),
      route(`DELETE ${path}/:discussion_id/notes/:note_id`, discussions.removeNote, empty(), {
        ...noteOptions,
      }),
    ]
  }),
]
