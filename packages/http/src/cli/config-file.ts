import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { suggestName } from '@forgelet/core/operations'
import { type Command, InvalidArgumentError } from 'commander'
import { CliError, UsageError } from './cli-error.ts'
import { isOverridden } from './option-source.ts'
import type { TypedOption } from './option-types.ts'
import { type DataOptions, serveOptions } from './options.ts'
import { parseJsonFile, readTextFile } from './text-file.ts'

/** Read from the current folder if it exists. */
const defaultConfigFile = 'forgelet.config.json'

const { config: _, ...fileOptions } = serveOptions

/** The options that the file can set, by their names in it: `--base-url` is `baseUrl`, `--no-reference` is `reference`. */
export const configOptions = fileOptions as Readonly<Record<string, TypedOption<unknown>>>

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'an integer',
  array: 'a list of texts',
}

const hasType = (value: unknown, type: unknown): boolean => {
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  return typeof value === 'string'
}

/** `:memory:`, `demo` and `s3://bucket` are not paths. */
const isKeyword = (name: string, value: string) =>
  value === ':memory:' || value.includes('://') || (name === 'seed' && value === 'demo')

/** @throws UsageError without the value, which can be a secret, unless it has the wrong range or is not one of the choices */
const parseValue = (file: string, name: string, option: TypedOption<unknown>, value: unknown): unknown => {
  const { type } = option.schema
  if (!hasType(value, type)) throw new UsageError(`${file}: ${name} must be ${typeNames[String(type)] ?? 'a text'}`)
  const parse = (text: string) => (option.parseArg ? option.parseArg<unknown>(text, undefined) : text)
  try {
    if (type === 'boolean') return value
    if (type === 'array') return (value as string[]).flatMap(parse)
    const text = String(value)
    const parsed = parse(text)
    return option.isPath && !isAbsolute(text) && !isKeyword(name, text) ? join(dirname(file), text) : parsed
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new UsageError(`${file}: ${name} is invalid. ${error.message}`)
    if (error instanceof UsageError) throw new UsageError(`${file}: ${name}: ${error.message}`)
    throw error
  }
}

/** @throws CliError if the file cannot be read or does not contain a JSON object */
const readConfig = (file: string): object => {
  const config = parseJsonFile(readTextFile(file), file)
  if (typeof config === 'object' && config !== null && !Array.isArray(config)) return config
  throw new CliError(`${file} must contain a JSON object`)
}

/**
 * Sets options from the configuration file. The command line and the environment have precedence. Commands other than `serve`
 * use the options that select the data. Paths are relative to the folder of the file.
 *
 * @throws UsageError if the file has an unknown option or an invalid value
 */
export const applyConfigFile = (command: Command): void => {
  if (!command.options.includes(serveOptions.config)) return
  const { config: named } = command.opts<DataOptions>()
  if (named === undefined && !existsSync(defaultConfigFile)) return
  const file = named ?? defaultConfigFile
  for (const [name, value] of Object.entries(readConfig(file))) {
    if (name === '$schema') continue
    const option = Object.hasOwn(configOptions, name) ? configOptions[name] : undefined
    if (!option) throw new UsageError(`${file}: ${name} is not known. ${suggestName(name, Object.keys(configOptions))}`)
    const parsed = parseValue(file, name, option, value)
    if (!command.options.includes(option) || isOverridden(command, name, 'config')) continue
    command.setOptionValueWithSource(name, parsed, 'config')
  }
}
