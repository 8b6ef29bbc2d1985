import { debuglog, styleText } from 'node:util'
import { type Environment, readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { exitCodeOf, exitCodes, reasonOf } from './failure.ts'
import { nearest } from './nearest.ts'
import { overview, usageOf } from './usage.ts'
import { UsageError } from './usage-error.ts'

/** `NODE_DEBUG=forgelet` shows where an error came from. */
const debug = debuglog('forgelet')

const find = (argv: readonly string[]) =>
  commands.find(({ name }) => name.split(' ').every((word, at) => argv[at] === word))

const unknownCommand = ([first = '', second]: readonly string[]): UsageError => {
  const hint = 'Run forgelet --help for what there is.'
  if (first.startsWith('-')) return new UsageError(`Name a command before ${first}`, hint)
  const family = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  if (family.length) return new UsageError(`forgelet ${first} lacks a word: ${family.join(' or ')}`, hint)
  const written = second === undefined || second.startsWith('-') ? [first] : [`${first} ${second}`, first]
  const names = commands.map(({ name }) => name)
  const meant = written.map((words) => nearest(words, names)).find((name) => name !== undefined)
  return new UsageError(`Unknown command ${first}${meant === undefined ? '' : `: do you mean ${meant}?`}`, hint)
}

const perform = async (loaded: Command, rest: readonly string[], environment: Environment) => {
  try {
    const given = readArguments(loaded.flags, rest, environment)
    if (given.help) return void process.stdout.write(usageOf(loaded, process.stdout))
    const [extra] = given.positionals.slice(loaded.positionals.length)
    if (extra !== undefined) throw new UsageError(`Unexpected argument ${extra}`)
    const missing = loaded.positionals[given.positionals.length]
    if (missing !== undefined) throw new UsageError(`${missing} is missing`)
    await loaded.run(given)
  } catch (error) {
    if (!(error instanceof UsageError) || error.hint !== undefined) throw error
    throw new UsageError(error.message, `Run forgelet ${loaded.name} --help for its options.`)
  }
}

const dispatch = async (argv: readonly string[], environment: Environment, version: () => string) => {
  const [first, ...rest] = argv
  if (first === '--version' || first === '-v') return void process.stdout.write(`${version()}\n`)
  const asksHelp = first === '--help' || first === '-h' || first === 'help'
  if (asksHelp && rest.length === 0) return void process.stdout.write(overview(process.stdout))
  if (first === undefined) throw new UsageError('Name a command', `\n${overview(process.stderr).trimEnd()}`)
  const words = asksHelp ? rest : argv
  const found = find(words)
  if (!found) throw unknownCommand(words)
  const loaded = await found.load()
  await perform(loaded, asksHelp ? ['--help'] : words.slice(loaded.name.split(' ').length), environment)
}

/**
 * Runs one command line. Data goes to stdout; what went wrong goes to stderr in a sentence.
 *
 * @param argv what stands after the program's name
 * @returns the exit code
 */
export async function main(argv: readonly string[], environment: Environment, version: () => string): Promise<number> {
  try {
    await dispatch(argv, environment, version)
    return exitCodes.done
  } catch (error) {
    debug('%O', error)
    const hint = error instanceof UsageError && error.hint !== undefined ? `\n${error.hint}` : ''
    const label = styleText('red', 'forgelet:', { stream: process.stderr })
    process.stderr.write(`${label} ${reasonOf(error)}${hint}\n`)
    return exitCodeOf(error)
  }
}
