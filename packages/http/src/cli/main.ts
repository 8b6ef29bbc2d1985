import { debuglog, styleText } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { messageOf } from '../app/error-text.ts'
import { CliError, exitCodes, UsageError } from './cli-error.ts'
import type { Environment } from './environment.ts'
import { createProgram } from './program.ts'

/** `NODE_DEBUG=forgelet` prints the stack of an error. */
const debug = debuglog('forgelet')

/** The command that the first words name: `forgelet token create`. */
const commandPath = (program: Command, argv: readonly string[]) => {
  const path = [program.name()]
  let command: Command | undefined = program
  for (const word of argv) {
    command = command.commands.find((candidate) => candidate.name() === word)
    if (!command) break
    path.push(word)
  }
  return path.join(' ')
}

/**
 * Runs one command line. Data goes to stdout, errors go to stderr.
 *
 * @param argv the arguments after the program's name
 * @returns the exit code
 */
export async function main(argv: readonly string[], environment: Environment): Promise<number> {
  const program = createProgram(environment)
  try {
    // Commander's own help command covers one level of subcommands only.
    const [first, ...others] = argv
    const args = first === 'help' ? [...others, '--help'] : first === '-V' ? ['--version'] : argv
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.success
  } catch (error) {
    debug('%O', error)
    // Help and the version are printed already.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.success
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage
    const isUsageError = error instanceof CommanderError || error instanceof UsageError
    const label = styleText('red', 'forgelet:', { stream: process.stderr })
    const hint = isUsageError ? `\nRun ${commandPath(program, argv)} --help for its options.` : ''
    process.stderr.write(`${label} ${messageOf(error).replace(/^error: /, '')}${hint}\n`)
    if (isUsageError) return exitCodes.usage
    return error instanceof CliError ? error.exitCode : exitCodes.failure
  }
}
