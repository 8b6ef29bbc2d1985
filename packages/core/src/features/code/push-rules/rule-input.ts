import * as v from 'valibot'
import { namePatternProblem } from '../../../kernel/name-pattern.ts'
import type { PushRuleValues } from './push-rule.ts'

/** Message patterns have 4 characters more when they are compiled. */
const maxPatternLength = 1_020

const maxFileSize = 2 ** 31 - 1

const Pattern = v.optional(
  v.nullable(
    v.pipe(
      v.string(),
      v.maxLength(maxPatternLength),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? namePatternProblem(dataset.value) : undefined
        if (problem !== undefined) addIssue({ message: problem })
      }),
    ),
  ),
)

const Flag = v.optional(v.boolean())

/** Patterns are regular expressions in RE2 syntax, of at most 1,020 characters, that match a part of a text. */
export const ruleInput = {
  /** Regular expression (RE2) that commit messages must match, with `^` and `$` at each line. Empty or null for none. */
  commitMessageRegex: Pattern,
  /** Regular expression (RE2) that commit messages must not match, with `^` and `$` at each line. Empty or null for none. */
  commitMessageNegativeRegex: Pattern,
  /** Regular expression (RE2) that the names of branches other than the default branch must match. Empty or null for none. */
  branchNameRegex: Pattern,
  /** Regular expression (RE2) that the addresses of authors and committers must match. Empty or null for none. */
  authorEmailRegex: Pattern,
  /** Regular expression (RE2) that the paths of new files must not match. Empty or null for none. */
  fileNameRegex: Pattern,
  /** Largest size of a new or changed file in MiB; 0 for no limit. */
  maxFileSize: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(maxFileSize))),
  /** Whether tags cannot be deleted. */
  denyDeleteTag: Flag,
  /** Whether authors and committers must have the address of a user. */
  memberCheck: Flag,
  /** Whether files are rejected that usually contain secrets, such as private keys. */
  preventSecrets: Flag,
  /** Whether committers must have an address of the user who pushes. */
  commitCommitterCheck: Flag,
  /** Whether authors must have the name of the user who pushes. */
  commitCommitterNameCheck: Flag,
  /** Must be false: pushes of unsigned commits are not rejected. */
  rejectUnsignedCommits: v.optional(
    v.pipe(
      v.boolean(),
      v.check((value) => !value, 'is not supported: pushes of unsigned commits are not rejected'),
    ),
  ),
  /** Whether commit messages must contain a line `Signed-off-by: Name <address>`. */
  rejectNonDcoCommits: Flag,
}

export const defaultRule: PushRuleValues = {
  commitMessageRegex: '',
  commitMessageNegativeRegex: '',
  branchNameRegex: '',
  authorEmailRegex: '',
  fileNameRegex: '',
  maxFileSize: 0,
  denyDeleteTag: false,
  memberCheck: false,
  preventSecrets: false,
  commitCommitterCheck: false,
  commitCommitterNameCheck: false,
  rejectUnsignedCommits: false,
  rejectNonDcoCommits: false,
}

export type RuleChange = { readonly [N in keyof PushRuleValues]?: PushRuleValues[N] | null | undefined }

/** A rule with changes: omitted fields stay, null is an empty pattern. */
export const changeRule = (rule: PushRuleValues, change: RuleChange): PushRuleValues =>
  Object.fromEntries(
    Object.keys(defaultRule).map((name) => {
      const field = name as keyof PushRuleValues
      return [field, change[field] === undefined ? rule[field] : (change[field] ?? defaultRule[field])]
    }),
  ) as unknown as PushRuleValues
