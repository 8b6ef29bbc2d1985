import type { Page } from '@forgelet/core'
import { type Award, features, type Operation } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { AwardWire } from '../shapes/award-emoji.ts'

const { awardEmoji, noteAwardEmoji } = features

const awardName = { award_id: 'award' } as const

// biome-ignore-start lint/suspicious/noExplicitAny: the inputs name different items
interface AwardOperations {
  readonly list: Operation<any, Page<Award>>
  readonly get: Operation<any, Award>
  readonly give: Operation<any, Award>
  readonly remove: Operation<any, void>
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** The routes of the emoji below the path of an item. */
const routesBelow = (
  item: string,
  { list, get, give, remove }: AwardOperations,
  { names, hidden = [] }: Pick<RouteOptions, 'names' | 'hidden'>,
) => {
  const base = `${item}/award_emoji`
  const options = { extension: true, names: { ...names }, hidden } satisfies RouteOptions
  const awardOptions = { ...options, names: { ...names, ...awardName } } satisfies RouteOptions
  return [
    route(`GET ${base}`, list, page(AwardWire), options),
    route(`POST ${base}`, give, one(AwardWire), { ...options, hidden: [...hidden, 'user'] }),
    route(`GET ${base}/:award_id`, get, one(AwardWire), awardOptions),
    route(`DELETE ${base}/:award_id`, remove, empty(), awardOptions),
  ]
}

const items = [
  { path: '/projects/:id/issues/:issue_iid', names: { issue_iid: 'issue' } },
  { path: '/projects/:id/merge_requests/:merge_request_iid', names: { merge_request_iid: 'mergeRequest' } },
  { path: '/projects/:id/snippets/:snippet_id', names: { snippet_id: 'snippet' } },
  { path: '/groups/:id/epics/:epic_id', names: { epic_id: 'epic' } },
] as const

const inputs = items.flatMap(({ names }) => Object.values(names))

export const awardEmojiRoutes = [
  ...routesBelow(
    items[0].path,
    {
      list: awardEmoji.listOnIssue,
      get: awardEmoji.getOnIssue,
      give: awardEmoji.giveToIssue,
      remove: awardEmoji.removeFromIssue,
    },
    items[0],
  ),
  ...routesBelow(
    items[1].path,
    {
      list: awardEmoji.listOnMergeRequest,
      get: awardEmoji.getOnMergeRequest,
      give: awardEmoji.giveToMergeRequest,
      remove: awardEmoji.removeFromMergeRequest,
    },
    items[1],
  ),
  ...routesBelow(
    items[2].path,
    {
      list: noteAwardEmoji.listOnSnippet,
      get: noteAwardEmoji.getOnSnippet,
      give: noteAwardEmoji.giveToSnippet,
      remove: noteAwardEmoji.removeFromSnippet,
    },
    items[2],
  ),
  ...routesBelow(
    '/groups/:id/epics/:epic_iid',
    {
      list: noteAwardEmoji.listOnEpic,
      get: noteAwardEmoji.getOnEpic,
      give: noteAwardEmoji.giveToEpic,
      remove: noteAwardEmoji.removeFromEpic,
    },
    {},
  ),
  ...items.flatMap(({ path, names }) =>
    routesBelow(`${path}/notes/:note_id`, noteAwardEmoji, {
      names: { ...names, note_id: 'note' },
      hidden: inputs.filter((input) => !Object.values<string>(names).includes(input)),
    }),
  ),
]
