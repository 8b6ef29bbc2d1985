import { namePatternProblem } from '../../../kernel/name-pattern.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import type { SettingName, Settings } from './definition.ts'
import { webUrlProblem } from './web-url.ts'

/** Names of the settings with values of type `T`. */
type NamesOf<T> = { [N in SettingName]: Settings[N] extends T ? N : never }[SettingName]

/** A validation rule over one or more settings; it is checked when one of them changes. */
export interface SettingRule {
  readonly settings: readonly SettingName[]
  findProblems(next: Settings): readonly (readonly [field: string, message: string])[]
}

/** Whether a value is null, an empty list or a text of whitespace only. */
export const isBlank = (value: string | readonly unknown[] | null) =>
  value === null || (typeof value === 'string' ? value.trim() === '' : value.length === 0)

/** A rule that reports at most one problem, on one field. */
export const createRule = (
  settings: readonly SettingName[],
  field: string,
  findProblem: (next: Settings) => string | undefined,
): SettingRule => ({
  settings,
  findProblems(next) {
    const message = findProblem(next)
    return message === undefined ? [] : [[field, message]]
  },
})

interface Range {
  readonly above?: number
  readonly from?: number
  readonly to?: number
  readonly below?: number
}

/** `above` and `below` are exclusive bounds, `from` and `to` inclusive ones. */
export const inRange = (name: NamesOf<number>, { above, from, to, below }: Range) =>
  createRule([name], name, (next) => {
    const value = next[name]
    if (above !== undefined && value <= above) return `must be greater than ${above}`
    if (from !== undefined && value < from) return `must be greater than or equal to ${from}`
    if (to !== undefined && value > to) return `must be less than or equal to ${to}`
    if (below !== undefined && value >= below) return `must be less than ${below}`
    return undefined
  })

/** A non-empty value must be an http or https URL. */
export const validWebUrl = (name: NamesOf<string | null>) =>
  createRule([name], name, (next) => {
    const url = next[name]
    const reason = url ? webUrlProblem(url) : undefined
    return reason && `is blocked: ${reason}`
  })

/**
 * The value must not be blank: always, or while `enabledBy` is true. `enabledBy` itself can be set first: it takes effect with the
 * value.
 */
export const requiredValue = (name: NamesOf<string | readonly string[] | null>, enabledBy?: NamesOf<boolean>) =>
  createRule([name], name, (next) =>
    (enabledBy ? next[enabledBy] : true) && isBlank(next[name]) ? "can't be blank" : undefined,
  )

/** A non-empty value must be a regular expression. */
export const validPattern = (name: NamesOf<string | null>) =>
  createRule([name], name, (next) => {
    const pattern = next[name]
    return pattern ? namePatternProblem(pattern) : undefined
  })

/** A non-blank value must be a duration such as `3 days`. */
export const validDuration = (name: NamesOf<string | null>) =>
  createRule([name], name, (next) => {
    const duration = next[name] ?? ''
    return isBlank(duration) || parseHumanDuration(duration) !== undefined ? undefined : 'is not a correct duration'
  })
