import type { Actor } from '../kernel/actor.ts'

/** Decides who may use an ability on a subject of type `S`. */
export interface Rule<S> {
  /** The allowed callers, for messages and the permission reference: `reporters and above`. */
  readonly description: string
  /** Whether the rule can allow anonymous callers. */
  readonly allowsAnonymous: boolean
  /** Whether the current user is allowed. Runs no queries: the subject holds all data that rules use. */
  allows(actor: Actor, on: S): boolean
}

export const rule = <S>(description: string, allows: Rule<S>['allows'], allowsAnonymous = false): Rule<S> => ({
  description,
  allowsAnonymous,
  allows,
})

export const both = <S>(
  first: Rule<S>,
  second: Rule<S>,
  description = `${first.description}, ${second.description}`,
): Rule<S> =>
  rule(
    description,
    (actor, on) => first.allows(actor, on) && second.allows(actor, on),
    first.allowsAnonymous && second.allowsAnonymous,
  )

export const either = <S>(first: Rule<S>, second: Rule<S>): Rule<S> =>
  rule(
    `${first.description}, or ${second.description}`,
    (actor, on) => first.allows(actor, on) || second.allows(actor, on),
    first.allowsAnonymous || second.allowsAnonymous,
  )

/** Adds a rule to each of several. */
export const bothOfEach = <T extends Readonly<Record<string, Rule<never>>>>(rules: T, further: Rule<unknown>): T =>
  Object.fromEntries(Object.entries(rules).map(([name, each]) => [name, both<never>(each, further)])) as T
