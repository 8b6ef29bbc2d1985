/** Characters that git removes at both ends of a name: all up to the space, and some punctuation. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const edges = /^[\u0000- .,:;<>"\\']+|[\u0000- .,:;<>"\\']+$/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const delimiters = /[<>\u0000\n]/g

/**
 * The name of a user as git stores names in commits: without the characters that end a name there. A name of nothing else is
 * replaced by the username.
 */
export const toCommitName = ({ name, username }: { readonly name: string; readonly username: string }): string =>
  name.replace(delimiters, '').replace(edges, '') || username
