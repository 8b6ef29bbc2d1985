import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { CommitCommentWire, CommitDiscussionWire, CommitNoteWire } from '../shapes/commit-comment.ts'

const { commitComments, commitDiscussions } = features

const extension = { extension: true } satisfies RouteOptions
const writeOptions = { ...extension, hidden: ['author'] } satisfies RouteOptions
const discussionNames = { discussion_id: 'discussion' } as const
const noteOptions = { ...extension, names: { ...discussionNames, note_id: 'note' } } satisfies RouteOptions

const commit = '/projects/:id/repository/commits/:sha'
const discussions = `${commit}/discussions` as const
const discussion = `${discussions}/:discussion_id` as const

export const commitCommentRoutes = [
  route(`GET ${commit}/comments`, commitComments.list, page(CommitCommentWire), extension),
  route(`POST ${commit}/comments`, commitComments.create, one(CommitCommentWire), writeOptions),
  route(`GET ${discussions}`, commitDiscussions.list, page(CommitDiscussionWire), extension),
  route(`POST ${discussions}`, commitDiscussions.create, one(CommitDiscussionWire), writeOptions),
  route(`GET ${discussion}`, commitDiscussions.get, one(CommitDiscussionWire), {
    ...extension,
    names: discussionNames,
  }),
  route(`POST ${discussion}/notes`, commitDiscussions.reply, one(CommitNoteWire), {
    ...writeOptions,
    names: discussionNames,
  }),
  route(`GET ${discussion}/notes/:note_id`, commitDiscussions.getNote, one(CommitNoteWire), noteOptions),
  route(`PUT ${discussion}/notes/:note_id`, commitDiscussions.updateNote, one(CommitNoteWire), noteOptions),
  route(`DELETE ${discussion}/notes/:note_id`, commitDiscussions.removeNote, empty(), noteOptions),
]
