import { resolve } from 'node:path'
import { UsageError } from './cli-error.ts'
import type { OptionSource } from './option-source.ts'
import type { Options } from './option-types.ts'
import { quote } from './shell-quote.ts'

const isPath = (text: string) => text !== ':memory:' && !text.includes('://')

/** The forced command runs in another folder, so paths become absolute. */
const formatValue = (option: Options[string], value: unknown): readonly string[] => {
  if (typeof value === 'boolean') return []
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return [option.isPath && isPath(text) ? resolve(text) : text]
}

/**
 * The command with which a shell starts another subcommand of this program, with those options of this command line that it also has.
 *
 * @throws UsageError for control characters, which a line of `authorized_keys` cannot contain
 */
export const formatForcedCommand = (
  words: readonly string[],
  options: Options,
  { values, sourceOf }: { readonly values: object; readonly sourceOf: (name: never) => OptionSource },
): string => {
  const retained = Object.entries(options)
    .filter(([name]) => sourceOf(name as never) === 'cli')
    .flatMap(([name, option]) => [option.long ?? '', ...formatValue(option, Reflect.get(values, name))])
  const [, program = ''] = process.argv
  const all = [process.execPath, ...process.execArgv, resolve(program), ...words, ...retained]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
  if (all.some((word) => /[\u0000-\u001f\u007f]/.test(word)))
    throw new UsageError('The command line contains control characters')
  return all.map(quote).join(' ')
}
