import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { AwardWire } from '../shapes/award-emoji.ts'

const { awardEmoji } = features

/** The routes of the emoji below the path of an item or a note. */
const routesBelow = (item: string, names: Readonly<Record<string, string>>) => {
  const base = `${item}/award_emoji`
  const named = Object.values(names)
  const hidden = [...inputs, 'note'].filter((input) => !named.includes(input))
  const options = { extension: true, names, hidden } satisfies RouteOptions
  const awardOptions = { ...options, names: { ...names, award_id: 'award' } } satisfies RouteOptions
  return [
    route(`GET ${base}`, awardEmoji.list, page(AwardWire), options),
    route(`POST ${base}`, awardEmoji.create, one(AwardWire), { ...options, hidden: [...hidden, 'user'] }),
    route(`GET ${base}/:award_id`, awardEmoji.get, one(AwardWire), awardOptions),
    route(`DELETE ${base}/:award_id`, awardEmoji.remove, empty(), awardOptions),
  ]
}

const items = [
  { path: '/projects/:id/issues/:issue_iid', names: { issue_iid: 'issue' } },
  { path: '/projects/:id/merge_requests/:merge_request_iid', names: { merge_request_iid: 'mergeRequest' } },
  { path: '/projects/:id/snippets/:snippet_id', names: { snippet_id: 'snippet' } },
]

/** An epic has its iid in the routes of its own emoji, and its id in those of its notes. */
const epics = { iid: { epic_iid: 'epic' }, id: { epic_id: 'epicId' } }

const inputs = ['issue', 'mergeRequest', 'snippet', 'epic', 'epicId']

export const awardEmojiRoutes = [
  ...items.flatMap(({ path, names }) => routesBelow(path, names)),
  ...routesBelow('/groups/:id/epics/:epic_iid', epics.iid),
  ...[...items, { path: '/groups/:id/epics/:epic_id', names: epics.id }].flatMap(({ path, names }) =>
    routesBelow(`${path}/notes/:note_id`, { ...names, note_id: 'note' }),
  ),
]
