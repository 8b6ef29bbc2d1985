import { styleText } from 'node:util'
import { Command } from 'commander'
import { UsageError } from './cli-error.ts'
import { applyEnvironment, type Environment } from './environment.ts'
import type { Invocation } from './invocation.ts'
import type { Options } from './option-types.ts'
import {
  backupOptions,
  jsonDataOptions,
  operationsOptions,
  repositoryImportOptions,
  restoreOptions,
  serveOptions,
  tokenOptions,
  userOptions,
} from './options.ts'
import { programVersion } from './version.ts'

interface Definition<O extends Options> {
  /** With the names of required arguments: `seed <file>`. */
  readonly usage: string
  readonly description: string
  readonly options: O
  readonly examples: readonly string[]
  /** Imports the action: a start loads the modules of one command only. */
  readonly load: () => Promise<(invocation: Invocation<O>) => Promise<void>>
}

const titled = (title: string) => styleText('bold', title, { validateStream: false })

const addCommand = <O extends Options>(
  parent: Command,
  { usage, description, options, examples, load }: Definition<O>,
) => {
  const command = parent.command(usage).description(description)
  for (const option of Object.values(options)) command.addOption(option)
  command.addHelpText('after', ['', titled('Examples:'), ...examples.map((example) => `  ${example}`)].join('\n'))
  command.action(async () => {
    const action = await load()
    await action({
      args: command.args,
      options: command.opts(),
      sourceOf: (name) => command.getOptionValueSource(name) as 'cli' | 'env' | 'default',
    })
  })
}

const addGroup = (program: Command, name: string, description: string) =>
  program.command(name).description(description).helpCommand(false)

const assertDataOptions = (command: Command) => {
  const isOnCommandLine = (name: string) => command.getOptionValueSource(name) === 'cli'
  if (isOnCommandLine('data') && isOnCommandLine('database')) throw new UsageError('Use either --data or --database')
  if (command.opts().database !== undefined) return
  const dependent = command.options.find(
    (option) => /^--(?:repositories|database-.*)$/.test(option.long ?? '') && isOnCommandLine(option.attributeName()),
  )
  if (dependent) throw new UsageError(`${dependent.long} requires --database`)
}

/** The commands of the program. Switches and values that are missing on the command line come from `environment`. */
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
    .hook('preAction', (_, command) => {
      applyEnvironment(command, environment)
      assertDataOptions(command)
    })
    .addHelpText('after', ['', titled('Start:'), '  forgelet serve --demo'].join('\n'))
    .addHelpText('afterAll', ({ command }) =>
      command.options.some(({ long }) => long === '--data')
        ? '\nEvery option has an environment variable, such as FORGELET_DATA for --data. Options have precedence.'
        : '',
    )

  addCommand(program, {
    usage: 'serve',
    description: 'serve a forge over HTTP',
    options: serveOptions,
    examples: [
      'forgelet serve --demo',
      'forgelet serve --data ./forge.db --port 3000 --base-url https://forge.example',
      'forgelet serve --data ./test.db --seed world.yaml --port 0',
      'forgelet serve --control --demo --port 0',
    ],
    load: async () => (await import('./serve.ts')).serveCommand,
  })
  addCommand(program, {
    usage: 'seed <file>',
    description: 'add seed data from a JSON or YAML file; the word demo is the demo data',
    options: jsonDataOptions,
    examples: ['forgelet seed world.yaml', 'forgelet seed world.json --data ./forge.db --json'],
    load: async () => (await import('./seed.ts')).seedCommand,
  })
  addCommand(program, {
    usage: 'backup <folder>',
    description: 'copy the data file, its key and its repositories into a new folder, also while a server runs',
    options: backupOptions,
    examples: ['forgelet backup /var/backups/forge-monday', 'forgelet backup ./copy --data ./forge.db --json'],
    load: async () => (await import('./backup.ts')).backupCommand,
  })
  addCommand(program, {
    usage: 'restore <folder>',
    description: 'restore a backup',
    options: restoreOptions,
    examples: ['forgelet restore /var/backups/forge-monday', 'forgelet restore ./copy --data ./forge.db --force'],
    load: async () => (await import('./restore.ts')).restoreCommand,
  })
  addCommand(program, {
    usage: 'migrate',
    description: 'migrate the data to this version, after a copy of the data file',
    options: jsonDataOptions,
    examples: ['forgelet migrate', 'forgelet migrate --data ./forge.db --json'],
    load: async () => (await import('./migrate.ts')).migrateCommand,
  })
  addCommand(program, {
    usage: 'doctor',
    description: 'check the data and report problems; changes nothing',
    options: jsonDataOptions,
    examples: ['forgelet doctor', 'forgelet doctor --data ./forge.db --json'],
    load: async () => (await import('./doctor.ts')).doctorCommand,
  })
  addCommand(program, {
    usage: 'operations [name]',
    description: 'list the operations of a feature, or describe one: its fields, routes and permissions',
    options: operationsOptions,
    examples: ['forgelet operations', 'forgelet operations labels', 'forgelet operations labels.create --json'],
    load: async () => (await import('./operations.ts')).operationsCommand,
  })
  addCommand(addGroup(program, 'repository', 'manage repositories'), {
    usage: 'import <project> <folder>',
    description: 'copy a local git repository, with all branches and tags, into a project without code',
    options: repositoryImportOptions,
    examples: [
      'forgelet repository import acme/web ~/code/web',
      'forgelet repository import acme/web /srv/git/web.git',
    ],
    load: async () => (await import('./repository-import.ts')).repositoryImportCommand,
  })
  addCommand(addGroup(program, 'token', 'manage personal access tokens'), {
    usage: 'create',
    description: 'create a personal access token',
    options: tokenOptions,
    examples: [
      'forgelet token create --user alice',
      'TOKEN=$(forgelet token create --user alice --name ci --scopes read_api --expires-at 2030-12-31)',
    ],
    load: async () => (await import('./token-create.ts')).tokenCreateCommand,
  })
  addCommand(addGroup(program, 'user', 'manage users'), {
    usage: 'create',
    description: 'create a user',
    options: userOptions,
    examples: [
      'forgelet user create --username alice --name "Alice Liddell" --email alice@example.com',
      'forgelet user create --username root --admin --json',
    ],
    load: async () => (await import('./user-create.ts')).userCreateCommand,
  })
  return program
}
