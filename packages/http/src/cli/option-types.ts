import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from './cli-error.ts'

/** An option with the type of its parsed value; `parsed` exists for the type checker only. */
type TypedOption<T> = Option & { readonly parsed: T }

/** Options by the property name that commander derives: `--base-url` is `baseUrl`, `--no-reference` is `reference`. */
// biome-ignore lint/suspicious/noExplicitAny: options of any value
export type Options = Readonly<Record<string, TypedOption<any>>>

/** The parsed values of options. */
export type OptionValues<O extends Options> = { readonly [N in keyof O]: O[N]['parsed'] }

const typedOption = <T>(flags: string, description: string, fallback: T, parse: (value: string) => T) =>
  new Option(flags, description).default(fallback).argParser(parse) as TypedOption<T>

const nonEmpty = (value: string) => {
  if (value === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}

/** Any text except the empty one. */
export const textOption = <F extends string | undefined = undefined>(
  flags: string,
  description: string,
  fallback?: F,
): TypedOption<string | F> => typedOption<string | F>(flags, description, fallback as F, nonEmpty)

/** A path. One that starts with `--` is more likely the next option after a missing value. */
export const pathOption = <F extends string | undefined = undefined>(
  flags: string,
  description: string,
  fallback?: F,
): TypedOption<string | F> =>
  typedOption<string | F>(flags, description, fallback as F, (value) => {
    if (value.startsWith('--'))
      throw new InvalidArgumentError(`It must be a path; write ./${value} for such a file name.`)
    return nonEmpty(value)
  })

/** A switch; undefined unless it is set. */
export const switchOption = (flags: string, description: string): TypedOption<boolean | undefined> =>
  new Option(flags, description) as TypedOption<boolean | undefined>

export const choiceOption = <const C extends string>(
  flags: string,
  description: string,
  choices: readonly C[],
  fallback: NoInfer<C>,
): TypedOption<C> => new Option(flags, description).choices(choices).default(fallback) as TypedOption<C>

/** An integer in a range. */
export const integerOption = (
  flags: string,
  description: string,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): TypedOption<number> =>
  typedOption(flags, description, fallback, (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`)
  })

const assertUrl = (flags: string, value: string, schemes: readonly string[]): string => {
  if (URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1))) return value
  // An InvalidArgumentError would print the value, which can contain a password.
  throw new UsageError(`${flags} must be a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`)
}

/** An absolute URL of one of the schemes. */
export const urlOption = (
  flags: string,
  description: string,
  schemes: readonly string[],
): TypedOption<string | undefined> =>
  typedOption<string | undefined>(flags, description, undefined, (value) => assertUrl(flags, value, schemes))

const splitList = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Values separated by commas. */
export const listOption = (flags: string, description: string): TypedOption<readonly string[] | undefined> =>
  typedOption<readonly string[] | undefined>(flags, description, undefined, splitList)

/** Absolute URLs separated by commas. */
export const urlListOption = (
  flags: string,
  description: string,
  schemes: readonly string[],
): TypedOption<readonly string[] | undefined> =>
  typedOption<readonly string[] | undefined>(flags, description, undefined, (value) =>
    splitList(value).map((url) => assertUrl(flags, url, schemes)),
  )
