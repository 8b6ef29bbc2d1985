import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { AwardWire } from '../shapes/award-emoji.ts'
import { listOtherInputs, noteablePaths } from './noteable-paths.ts'

const { awardEmoji } = features

interface Item {
  readonly base: string
  readonly parameter: string
  readonly input: string
}

/** The routes of the emoji of an item, or of its notes. */
const routesOf = ({ base, parameter, input }: Item, isNote: boolean) => {
  const path = `${isNote ? `${base}/notes/:note_id` : base}/award_emoji`
  const names = { [parameter]: input, ...(isNote && { note_id: 'note' }) }
  const hidden = [...listOtherInputs(input), ...(isNote ? [] : ['note'])]
  const options = { extension: true, names, hidden } satisfies RouteOptions
  const awardOptions = { ...options, names: { ...names, award_id: 'award' } } satisfies RouteOptions
  return [
    route(`GET ${path}`, awardEmoji.list, page(AwardWire), options),
    route(`POST ${path}`, awardEmoji.create, one(AwardWire), { ...options, hidden: [...hidden, 'user'] }),
    route(`GET ${path}/:award_id`, awardEmoji.get, one(AwardWire), awardOptions),
    route(`DELETE ${path}/:award_id`, awardEmoji.remove, empty(), awardOptions),
  ]
}

const epicByIid: Item = { base: '/groups/:id/epics/:epic_iid', parameter: 'epic_iid', input: 'epic' }

export const awardEmojiRoutes = [
  ...noteablePaths.flatMap((item) => routesOf(item.input === 'epicId' ? epicByIid : item, false)),
  ...noteablePaths.flatMap((item) => routesOf(item, true)),
]
