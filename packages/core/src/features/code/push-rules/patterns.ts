import { compileNamePattern } from '../../../kernel/name-pattern.ts'

type Matches = (text: string) => boolean

/** A function that finds a stored pattern in a text; undefined for an empty pattern. */
export const compilePattern = (text: string, prefix = ''): Matches | undefined => {
  if (text === '') return undefined
  const result = compileNamePattern(prefix + text)
  // A later version of the engine can reject a stored pattern; nothing matches it then.
  return 'problem' in result ? () => false : result.pattern.matchesPart
}

/** A pattern of which `^` and `$` match at each line. */
export const compileMessagePattern = (text: string): Matches | undefined => compilePattern(text, '(?m)')

/** Files that usually contain secrets. */
const secretFiles = [
  /** Credentials of AWS. */
  /(?:^|\/)\.?aws\/credentials$/,
  /** Private keys of SSH: `id_rsa`, `deploy_ed25519`. */
  /(?:^|\/)[^/]*_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /** Other private keys. */
  /\.(?:pem|key)$/,
  /** Histories of shells and databases. */
  /[._]history$/,
] as const

/** The pattern of files with secrets that matches a path. */
export const findSecretPattern = (path: string): RegExp | undefined => secretFiles.find((pattern) => pattern.test(path))
