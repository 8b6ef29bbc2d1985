import { type Command, InvalidArgumentError, type Option } from 'commander'
import { UsageError } from './cli-error.ts'
import { isOverridden } from './option-source.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const prefix = 'FORGELET_'

/** Variables of process managers and hosting platforms; the `FORGELET_…` ones have precedence. */
const commonVariables = ['PORT', 'HOST']

/** The environment variables of an option, in order of precedence: `--base-url` is `FORGELET_BASE_URL`. */
export const variablesOf = (option: Option): readonly string[] => {
  const name = (option.long ?? '').slice(2).replaceAll('-', '_').toUpperCase()
  return [`${prefix}${name}`, ...commonVariables.filter((common) => common === name)]
}

const parseSwitch = (value: string) => {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off)$/i.test(value)) return false
  throw new InvalidArgumentError('It must be true or false.')
}

const parseVariable = (option: Option, variable: string, value: string): unknown => {
  try {
    if (option.required) return option.parseArg ? option.parseArg<unknown>(value, undefined) : value
    return parseSwitch(value) !== option.negate
  } catch (error) {
    if (error instanceof InvalidArgumentError) {
      throw new UsageError(`environment variable ${variable} value '${value}' is invalid. ${error.message}`)
    }
    if (error instanceof UsageError) throw new UsageError(`environment variable ${variable}: ${error.message}`)
    throw error
  }
}

/** Variables that are no options of a command. */
const otherVariables = ['FORGELET_SQLITE_DRIVER', 'FORGELET_WORKER']

/** Warnings about variables that resemble one of `commands`: one that only starts with `FORGELET_` can be that of another program. */
export const findMisspelledVariables = async (
  commands: readonly { readonly options: Readonly<Record<string, Option>> }[],
  environment: Environment,
): Promise<readonly string[]> => {
  const options = commands.flatMap((command) => Object.values(command.options))
  const known = new Set([...options.flatMap(variablesOf), ...otherVariables])
  const unknown = Object.keys(environment).filter((name) => name.startsWith(prefix) && !known.has(name))
  if (unknown.length === 0) return []
  const { findSimilarName } = await import('@forgelet/core/operations')
  const knownEnds = [...known].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  return unknown.flatMap((name) => {
    const similar = findSimilarName(name.slice(prefix.length), knownEnds)
    return similar === undefined ? [] : [`the variable ${name} has no effect: did you mean ${prefix}${similar}?`]
  })
}

/**
 * Sets options from environment variables. The command line has precedence; an empty variable counts as unset. Commander's
 * `Option.env()` supports neither several variables for one option nor a switch that is off, and it would read a database
 * URL from the environment despite `--data`.
 *
 * @throws UsageError if a value is invalid
 */
export const applyEnvironment = (command: Command, environment: Environment): void => {
  for (const option of command.options) {
    const name = option.attributeName()
    if (isOverridden(command, name, 'env')) continue
    const variable = variablesOf(option).find((candidate) => environment[candidate])
    if (variable === undefined) continue
    command.setOptionValueWithSource(name, parseVariable(option, variable, environment[variable] ?? ''), 'env')
  }
}
