import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from './cli-error.ts'

type Json = Readonly<Record<string, unknown>>

/** An option with the type of its parsed value; `parsed` exists for the type checker only. */
export type TypedOption<T> = Option & {
  readonly parsed: T
  /** The JSON Schema of the value in the configuration file. */
  readonly schema: Json
  /** Whether the value is a path, which the configuration file may state relative to itself. */
  readonly isPath?: boolean
}

/** Options by the property name that commander derives: `--base-url` is `baseUrl`, `--no-reference` is `reference`. */
// biome-ignore lint/suspicious/noExplicitAny: options of any value
export type Options = Readonly<Record<string, TypedOption<any>>>

/** The parsed values of options. */
export type OptionValues<O extends Options> = { readonly [N in keyof O]: O[N]['parsed'] }

const describedOption = <T>(flags: string, description: string, schema: Json) =>
  Object.assign(new Option(flags, description), { schema }) as TypedOption<T>

const typedOption = <T>(flags: string, description: string, schema: Json, fallback: T, parse: (value: string) => T) =>
  describedOption<T>(flags, description, schema).default(fallback).argParser(parse) as TypedOption<T>

const textSchema = { type: 'string', minLength: 1 }
const listSchema = { type: 'array', items: textSchema }

const nonEmpty = (value: string) => {
  if (value === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}

/** Any text except the empty one. */
export const textOption = <F extends string | undefined = undefined>(
  flags: string,
  description: string,
  fallback?: F,
): TypedOption<string | F> => typedOption<string | F>(flags, description, textSchema, fallback as F, nonEmpty)

/** A path. One that starts with `--` is more likely the next option after a missing value. */
export const pathOption = <F extends string | undefined = undefined>(
  flags: string,
  description: string,
  fallback?: F,
): TypedOption<string | F> =>
  Object.assign(
    typedOption<string | F>(flags, description, textSchema, fallback as F, (value) => {
      if (value.startsWith('--'))
        throw new InvalidArgumentError(`It must be a path; write ./${value} for such a file name.`)
      return nonEmpty(value)
    }),
    { isPath: true },
  )

/** A switch; undefined unless it is set. */
export const switchOption = (flags: string, description: string): TypedOption<boolean | undefined> =>
  describedOption(flags, description, { type: 'boolean' })

export const choiceOption = <const C extends string>(
  flags: string,
  description: string,
  choices: readonly C[],
  fallback: NoInfer<C>,
): TypedOption<C> =>
  describedOption<C>(flags, description, { enum: choices }).choices(choices).default(fallback) as TypedOption<C>

/** One of several choices, without a default. */
export const optionalChoiceOption = <const C extends string>(
  flags: string,
  description: string,
  choices: readonly C[],
): TypedOption<C | undefined> =>
  describedOption<C | undefined>(flags, description, { enum: choices }).choices(choices) as TypedOption<C | undefined>

/** An integer in a range. */
export const integerOption = (
  flags: string,
  description: string,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): TypedOption<number> =>
  typedOption(flags, description, { type: 'integer', minimum: min, maximum: max }, fallback, (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`)
  })

/** The number of a port, 0 for a free one, without a default. */
export const portOption = (flags: string, description: string): TypedOption<number | undefined> =>
  typedOption<number | undefined>(
    flags,
    description,
    { type: 'integer', minimum: 0, maximum: 65_535 },
    undefined,
    (value) => {
      const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
      if (port <= 65_535) return port
      throw new InvalidArgumentError('It must be an integer from 0 to 65535.')
    },
  )

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
  typedOption<string | undefined>(flags, description, urlSchema(schemes), undefined, (value) =>
    assertUrl(flags, value, schemes),
  )

const urlSchema = (schemes: readonly string[]) => ({ type: 'string', pattern: `^(?:${schemes.join('|')})://` })

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.startsWith(value) === true

/** A day in the future (UTC), for what expires. */
export const futureDateOption = (flags: string, description: string): TypedOption<string | undefined> =>
  typedOption<string | undefined>(flags, description, textSchema, undefined, (value) => {
    const today = new Date().toISOString().slice(0, 10)
    if (!isDay(value)) throw new InvalidArgumentError('It must be a date such as 2030-12-31.')
    if (value <= today) throw new InvalidArgumentError(`It must be a day after today, ${today} (UTC).`)
    return value
  })

const splitList = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Values separated by commas. */
export const listOption = (flags: string, description: string): TypedOption<readonly string[] | undefined> =>
  typedOption<readonly string[] | undefined>(flags, description, listSchema, undefined, splitList)

/** Some of several choices, separated by commas. */
export const choiceListOption = <const C extends string>(
  flags: string,
  description: string,
  choices: readonly C[],
): TypedOption<readonly C[] | undefined> =>
  typedOption<readonly C[] | undefined>(
    flags,
    description,
    { type: 'array', items: { enum: choices } },
    undefined,
    (value) => {
      const items = splitList(value)
      const unknown = items.find((item) => !choices.some((choice) => choice === item))
      if (unknown === undefined) return items as readonly string[] as readonly C[]
      throw new InvalidArgumentError(`'${unknown}' is not one of ${choices.join(', ')}.`)
    },
  )

/** Absolute URLs separated by commas. */
export const urlListOption = (
  flags: string,
  description: string,
  schemes: readonly string[],
): TypedOption<readonly string[] | undefined> =>
  typedOption<readonly string[] | undefined>(
    flags,
    description,
    { type: 'array', items: urlSchema(schemes) },
    undefined,
    (value) => splitList(value).map((url) => assertUrl(flags, url, schemes)),
  )
