import * as v from 'valibot'
import { namePatternProblem } from '../../../kernel/name-pattern.ts'
import { isDigest, isTagName } from '../../../ports/registry.ts'

export const TagName = v.pipe(v.string(), v.check(isTagName, 'is invalid'))

export const Digest = v.pipe(v.string(), v.check(isDigest, 'is invalid'))

/** Hexadecimal digest of an image configuration, without `sha256:`. */
export const Revision = v.pipe(
  v.string(),
  v.check((text) => isDigest(`sha256:${text}`), 'is invalid'),
)

/** A regular expression in RE2 syntax; the error message contains the reason. */
export const Pattern = v.pipe(
  v.string(),
  v.check(
    (text) => namePatternProblem(text) === undefined,
    ({ input }) => namePatternProblem(String(input)) ?? 'is invalid',
  ),
)
