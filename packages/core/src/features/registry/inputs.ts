import * as v from 'valibot'
import { isDigest, isTagName } from '../../ports/registry.ts'
import { tagPatternComplaint } from './tag-pattern.ts'

/** The name of a tag that is to be set. */
export const TagName = v.pipe(v.string(), v.check(isTagName, 'is invalid'))

export const Digest = v.pipe(v.string(), v.check(isDigest, 'is invalid'))

/** Hexadecimal digits of the digest of an image's configuration. */
export const Revision = v.pipe(
  v.string(),
  v.check((text) => isDigest(`sha256:${text}`), 'is invalid'),
)

/** An expression in the syntax of RE2; the refusal says what is wrong with it. */
export const Pattern = v.pipe(
  v.string(),
  v.check(
    (text) => tagPatternComplaint(text) === undefined,
    ({ input }) => tagPatternComplaint(String(input)) ?? 'is invalid',
  ),
)
