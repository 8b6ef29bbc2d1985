import type { Award } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import { count } from './rows.ts'

const signs: Readonly<Record<string, string>> = {
  thumbsup: '👍',
  thumbsdown: '👎',
  rocket: '🚀',
  heart: '❤️',
  tada: '🎉',
  eyes: '👀',
  smile: '😄',
  confused: '😕',
}

/** The emoji of an item, and who has given each. */
export const reactions = (awards: readonly Award[]): Html | false => {
  const names = new Map<string, string[]>()
  for (const { name, user } of awards) names.set(name, [...(names.get(name) ?? []), user.name])
  return (
    names.size > 0 &&
    html`<ul class="reactions" aria-label="Reactions">${[...names].map(
      ([name, users]) =>
        html`<li class="badge" title="${users.join(', ')}">${signs[name] ?? `:${name}:`} ${users.length}<span class="visually-hidden"> ${name}, ${count(users.length, 'user')}</span></li>`,
    )}</ul>`
  )
}
