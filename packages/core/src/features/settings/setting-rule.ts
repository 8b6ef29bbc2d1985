import { humanDuration } from '../../kernel/human-duration.ts'
import type { SettingName, Settings } from './definition.ts'
import { webAddressProblem } from './web-address.ts'

/** Names of the settings whose values are of a type. */
type NamesOf<T> = { [N in SettingName]: Settings[N] extends T ? N : never }[SettingName]

/** A rule about some settings together; it is asked when one of them changes. */
export interface SettingRule {
  readonly about: readonly SettingName[]
  /** Pairs of a field and a complaint. */
  complaints(next: Settings): readonly (readonly [field: string, message: string])[]
}

/** Whether a text or a list says nothing. */
export const blank = (value: string | readonly unknown[] | null) =>
  value === null || (typeof value === 'string' ? value.trim() === '' : value.length === 0)

/** A rule with one complaint, on one field. */
export const rule = (
  about: readonly SettingName[],
  field: string,
  complaint: (next: Settings) => string | undefined,
): SettingRule => ({
  about,
  complaints(next) {
    const message = complaint(next)
    return message === undefined ? [] : [[field, message]]
  },
})

interface Range {
  readonly above?: number
  readonly from?: number
  readonly to?: number
  readonly below?: number
}

/** The number must lie between the borders given. */
export const within = (name: NamesOf<number>, { above, from, to, below }: Range) =>
  rule([name], name, (next) => {
    const value = next[name]
    if (above !== undefined && value <= above) return `must be greater than ${above}`
    if (from !== undefined && value < from) return `must be greater than or equal to ${from}`
    if (to !== undefined && value > to) return `must be less than or equal to ${to}`
    if (below !== undefined && value >= below) return `must be less than ${below}`
    return undefined
  })

/** The text, where there is one, must be an http or https address. */
export const webAddress = (name: NamesOf<string | null>) =>
  rule([name], name, (next) => {
    const address = next[name]
    const reason = address ? webAddressProblem(address) : undefined
    return reason && `is blocked: ${reason}`
  })

/** The value must be there: always, or while another setting is on. */
export const needed = (name: NamesOf<string | readonly string[] | null>, enabledBy?: NamesOf<boolean>) =>
  rule(enabledBy ? [name, enabledBy] : [name], name, (next) =>
    (enabledBy ? next[enabledBy] : true) && blank(next[name]) ? "can't be blank" : undefined,
  )

/** The text, where there is one, must be a time span as people write it. */
export const duration = (name: NamesOf<string | null>) =>
  rule([name], name, (next) => {
    const span = next[name] ?? ''
    return blank(span) || humanDuration(span) !== undefined ? undefined : 'is not a correct duration'
  })
