import * as v from 'valibot'
import { compileNamePattern } from './name-pattern.ts'

/** A pattern for names of branches, in RE2 syntax. */
export const NamePatternInput = v.pipe(
  v.string(),
  v.maxLength(255),
  v.check((text) => 'pattern' in compileNamePattern(text), 'is not a valid regular expression'),
)
