import type { Seed } from '@forgelet/core/seed'

/** Shorter secrets can be found by trying: generated ones have at least 20 characters. */
const minLength = 16

interface Owner {
  readonly name: string
  readonly tokens: readonly { readonly secret?: string | undefined; readonly revoked?: boolean | undefined }[]
}

const ownersOf = ({ users = [], groups = [], projects = [] }: Seed): readonly Owner[] => [
  ...users.map(({ username, tokens = [] }) => ({ name: username, tokens })),
  ...groups.map(({ path, accessTokens = [], deployTokens = [], sso }) => ({
    name: path,
    tokens: [...accessTokens, ...deployTokens, ...(sso?.scimTokens ?? [])],
  })),
  ...projects.map(({ path, accessTokens = [], deployTokens = [], pipelineTriggers = [] }) => ({
    name: path,
    tokens: [...accessTokens, ...deployTokens, ...pipelineTriggers],
  })),
]

const isGuessable = (secret: string, name: string) =>
  secret.length < minLength || secret.toLowerCase() === `${name.toLowerCase()}-token`

/** Users, groups and projects of a seed with a token that is short or follows from the name, such as `alice-token`. */
const ownersOfGuessableTokens = (seed: Seed): readonly string[] =>
  ownersOf(seed).flatMap(({ name, tokens }) =>
    tokens.some(({ secret, revoked = false }) => secret !== undefined && !revoked && isGuessable(secret, name))
      ? [name]
      : [],
  )

const shown = 3

/** Writes a warning about seeds that are added to stored data, which other people may reach later. */
export const warnAboutGuessableTokens = (seeds: readonly Seed[], location: string): void => {
  const names = seeds.flatMap(ownersOfGuessableTokens)
  if (names.length === 0) return
  const more = names.length > shown ? ` and ${names.length - shown} more` : ''
  process.stderr.write(
    `warning: ${location} has tokens that can be guessed, of ${names.slice(0, shown).join(', ')}${more}: revoke them before others can reach the server\n`,
  )
}
