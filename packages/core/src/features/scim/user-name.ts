/** Leaves room for the number that tells equal names apart. */
const longest = 240

const endings = ['.', '.git', '.atom']

/**
 * A legal username made of the `userName` of an identity provider, which is often an e-mail address: the domain goes, characters other
 * than letters, digits, `_`, `-` and `.` go, then what must not stand at the ends. `user` when nothing is left.
 */
export const usernameFrom = (userName: string): string => {
  const [local = ''] = userName.split('@')
  let name = local
    .replace(/[^a-zA-Z0-9_.-]/g, '')
    .replace(/^[-.]+/, '')
    .slice(0, longest)
  for (let ending = endingOf(name); ending !== undefined; ending = endingOf(name)) name = name.slice(0, -ending.length)
  return name || 'user'
}

const endingOf = (name: string) => endings.find((ending) => name.toLowerCase().endsWith(ending))

/** The name to try when the one before is taken: `ann`, `ann1`, `ann2` for the attempts 0, 1, 2. */
export const numberedUsername = (username: string, attempt: number): string =>
  attempt === 0 ? username : `${username}${attempt}`
