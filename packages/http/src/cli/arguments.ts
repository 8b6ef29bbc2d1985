import { parseArgs } from 'node:util'
import { type Flag, type Flags, flagName, type Values, variablesOf } from './flag.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

export interface Arguments<F extends Flags = Flags> {
  readonly values: Values<F>
  /** Names of the flags that stand on the command line itself. */
  readonly written: ReadonlySet<string>
  readonly positionals: readonly string[]
  readonly help: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

const readAs = (flag: Flag<unknown>, source: string, text: string): unknown => {
  try {
    return flag.read(text)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${source} ${error.message}`)
  }
}

const unknownFlag = (written: string, names: readonly string[]) => {
  const meant = written.startsWith('--') ? nearest(written.slice(2), names) : undefined
  return new UsageError(`Unknown option ${written}${meant === undefined ? '' : `: do you mean --${meant}?`}`)
}

/**
 * Reads a command's arguments. The command line goes before the environment, the environment before the defaults; a
 * variable that is set to nothing counts as not set.
 *
 * @throws UsageError when an option is unknown, lacks its value or has one that does not fit
 */
export function readArguments<F extends Flags>(
  flags: F,
  argv: readonly string[],
  environment: Environment,
): Arguments<F> {
  const byFlag = new Map(Object.entries(flags).map(([name, flag]) => [flagName(name), { name, flag }]))
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
  }
  for (const [written, { flag }] of byFlag) options[written] = { type: flag.value === undefined ? 'boolean' : 'string' }
  // Not strict: its complaints are about this program's author more than about its user.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })

  const values: Record<string, unknown> = {}
  const written = new Set<string>()
  const positionals: string[] = []
  let help = false
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { rawName, value, inlineValue } = token
    if (token.name === 'help') {
      help = true
      continue
    }
    const found = byFlag.get(token.name)
    if (!found) throw unknownFlag(rawName, [...byFlag.keys(), 'help'])
    const { name, flag } = found
    written.add(name)
    if (flag.value === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
      values[name] = true
    } else {
      if (value === undefined || value === '')
        throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value}`)
      if (!inlineValue && value.startsWith('--')) {
        throw new UsageError(`${rawName} needs a value; one that starts with a dash is written ${rawName}=${value}`)
      }
      values[name] = readAs(flag, rawName, value)
    }
  }
  // Whoever asks for help gets it, whatever the environment holds.
  if (!help) {
    for (const [name, flag] of Object.entries(flags)) {
      if (!written.has(name)) values[name] = fromEnvironment(name, flag, environment)
    }
  }
  return { values: values as Values<F>, written, positionals, help }
}

const fromEnvironment = (name: string, flag: Flag<unknown>, environment: Environment): unknown => {
  for (const variable of variablesOf(name, flag)) {
    const text = environment[variable]
    if (text !== undefined && text !== '') return readAs(flag, variable, text)
  }
  return flag.fallback
}
