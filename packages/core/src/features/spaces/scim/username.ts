/** Leaves room for a number at the end. */
const maxBaseLength = 240

const forbiddenEndings = ['.', '.git', '.atom']

/**
 * Derives a valid username from the `userName` of an identity provider, which is often an e-mail address: removes the
 * domain, all characters except ASCII letters, digits, `_`, `-` and `.`, and forbidden beginnings and endings. `user`
 * when nothing is left.
 */
export const toUsername = (userName: string): string => {
  const [local = ''] = userName.split('@')
  let name = local
    .replace(/[^a-zA-Z0-9_.-]/g, '')
    .replace(/^[-.]+/, '')
    .slice(0, maxBaseLength)
  for (let ending = findForbiddenEnding(name); ending !== undefined; ending = findForbiddenEnding(name))
    name = name.slice(0, -ending.length)
  return name || 'user'
}

const findForbiddenEnding = (name: string) => forbiddenEndings.find((ending) => name.toLowerCase().endsWith(ending))

/** `ann`, `ann1`, `ann2` for the attempts 0, 1, 2. */
export const numberedUsername = (username: string, attempt: number): string =>
  attempt === 0 ? username : `${username}${attempt}`
