import type { GetHeader } from '../request/credentials.ts'

const cookieName = 'forgelet_hidden_messages'

/** The newest ids that a cookie remembers, and the seconds for which it does. */
const maxHidden = 50
const lifetime = 30 * 24 * 60 * 60

/** Ids of the broadcast messages that this browser has hidden. */
export const readHiddenMessages = (header: GetHeader): readonly number[] =>
  (/(?:^|;\s*)forgelet_hidden_messages=([\d.]{1,1000})(?:;|$)/.exec(header('cookie') ?? '')?.[1] ?? '')
    .split('.')
    .map(Number)
    .filter((id) => id > 0)

/** A `Set-Cookie` header that hides a message in this browser. @param base path of the site */
export const formatHiddenMessages = (hidden: readonly number[], id: number, base: string): string => {
  const ids = [...new Set([...hidden, id])].slice(-maxHidden).join('.')
  return `${cookieName}=${ids}; Path=${base}/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax`
}
