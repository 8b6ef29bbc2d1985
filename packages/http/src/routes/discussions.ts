import { features } from '@forgelet/core/operations'
import { createdOrElse, empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { DiscussionNoteWire, DiscussionWire } from '../shapes/discussion.ts'
import { onlyQuickActions } from '../shapes/note.ts'
import { listOtherInputs, noteablePaths } from './noteable-paths.ts'

const { discussions } = features

/** Those of a new thread: only a merge request has positions. */
const listHiddenOnCreate = (input: string) => [
  'author',
  'storedPosition',
  ...(input === 'mergeRequest' ? [] : ['position', 'commitSha']),
]

const resolveRoute = route(
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id',
  discussions.resolve,
  one(DiscussionWire),
  { extension: true, names: { merge_request_iid: 'mergeRequest', discussion_id: 'discussion' } },
)

/** Not in the specification; code review tools write their comments here. */
export const discussionRoutes = [
  resolveRoute,
  ...noteablePaths.flatMap(({ base, parameter, input }) => {
    const hidden = listOtherInputs(input)
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
      route(`POST ${path}`, discussions.create, createdOrElse(DiscussionWire, onlyQuickActions), {
        ...options,
        names: { ...options.names, ...(input === 'mergeRequest' && { commit_id: 'commitSha' }) },
        hidden: [...hidden, ...listHiddenOnCreate(input)],
      }),
      route(`GET ${path}/:discussion_id`, discussions.get, one(DiscussionWire), discussionOptions),
      route(
        `POST ${path}/:discussion_id/notes`,
        discussions.reply,
        createdOrElse(DiscussionNoteWire, onlyQuickActions),
        {
          ...discussionOptions,
          hidden: [...hidden, 'author'],
        },
      ),
      route(`GET ${path}/:discussion_id/notes/:note_id`, discussions.getNote, one(DiscussionNoteWire), noteOptions),
      route(`PUT ${path}/:discussion_id/notes/:note_id`, discussions.updateNote, one(DiscussionNoteWire), noteOptions),
      route(`DELETE ${path}/:discussion_id/notes/:note_id`, discussions.removeNote, empty(), {
        ...noteOptions,
      }),
    ]
  }),
]
