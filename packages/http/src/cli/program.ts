import { styleText } from 'node:util'
import { Command, type Option } from 'commander'
import { UsageError } from './cli-error.ts'
import type { AnyCommand } from './command.ts'
import { commands, familyDescriptions } from './commands/commands.ts'
import { applyConfigFile } from './config-file.ts'
import { applyEnvironment, type Environment, findMisspelledVariables } from './environment.ts'
import type { OptionSource } from './option-source.ts'
import { programVersion } from './version.ts'

const titled = (title: string) => styleText('bold', title, { validateStream: false })

/** The command for the first word of `token create`, which has the others as subcommands. */
const findFamily = (program: Command, name: string) =>
  program.commands.find((candidate) => candidate.name() === name) ??
  program
    .command(name)
    .description(familyDescriptions[name] ?? '')
    .helpCommand(false)

const addCommand = (program: Command, definition: AnyCommand, environment: Environment) => {
  const { usage, description, options, examples, readsEnvironment = true, load } = definition
  const [, family, rest = ''] = /^(?:([a-z]+) )?([a-z]+\b.*)$/.exec(usage) ?? []
  const parent = family === undefined ? program : findFamily(program, family)
  const command = parent.command(rest).description(description)
  for (const option of Object.values<Option>(options)) command.addOption(option)
  command.addHelpText('after', ['', titled('Examples:'), ...examples.map((example) => `  ${example}`)].join('\n'))
  command.hook('preAction', async () => {
    if (readsEnvironment) {
      for (const warning of await findMisspelledVariables(commands, environment))
        process.stderr.write(`warning: ${warning}\n`)
      applyEnvironment(command, environment)
    }
    applyConfigFile(command)
    assertDataOptions(command)
  })
  command.action(async () => {
    const action = await load()
    await action({
      args: command.args,
      options: command.opts(),
      program,
      sourceOf: (name) => command.getOptionValueSource(name) as OptionSource,
    })
  })
}

const assertDataOptions = (command: Command) => {
  const isOnCommandLine = (name: string) => command.getOptionValueSource(name) === 'cli'
  if (isOnCommandLine('data') && isOnCommandLine('database')) throw new UsageError('Use either --data or --database')
  if (command.opts().database !== undefined) return
  const dependent = command.options.find(
    (option) => /^--(?:repositories|database-.*)$/.test(option.long ?? '') && isOnCommandLine(option.attributeName()),
  )
  if (dependent) throw new UsageError(`${dependent.long} requires --database`)
}

/**
 * The commands of the program. Options that are missing on the command line come from `environment`, then from the
 * configuration file.
 */
export const createProgram = (environment: Environment): Command => {
  const program = new Command('forgelet')
    .description('A software forge with version 4 of the GitLab API, in one process.')
    .version(programVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print help for a command')
    .helpCommand(false)
    .enablePositionalOptions()
    .configureHelp({ styleTitle: titled })
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText('after', ['', titled('Start:'), '  forgelet serve --demo'].join('\n'))
    .addHelpText('afterAll', ({ command }) =>
      command.options.some(({ long }) => long === '--data')
        ? '\nEvery option has an environment variable, such as FORGELET_DATA for --data. Options have precedence.'
        : '',
    )
  for (const command of commands) addCommand(program, command, environment)
  return program
}
