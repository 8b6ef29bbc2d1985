import { type AnyCommand, command } from '../command.ts'
import { initOptions, jsonOption, openOptions, serveOptions } from '../options.ts'

/** Serves a forge. */
export const serveDefinition: AnyCommand = command({
  usage: 'serve',
  description: 'serve a forge over HTTP',
  options: serveOptions,
  examples: [
    'forgelet serve --demo',
    'forgelet serve --data ./forge.db --port 3000 --base-url https://forge.example',
    'forgelet serve --data ./test.db --seed world.yaml --port 0',
    'forgelet serve --control --demo --port 0',
  ],
  load: async () => (await import('../serve.ts')).serveCommand,
})

/** Commands that do not open the data. */
export const toolCommands: readonly AnyCommand[] = [
  command({
    usage: 'operations [name]',
    description: 'list the operations of a feature, or describe one: its fields, routes and permissions',
    options: jsonOption,
    examples: ['forgelet operations', 'forgelet operations labels', 'forgelet operations labels.create --json'],
    load: async () => (await import('../operations.ts')).operationsCommand,
  }),
  command({
    usage: 'open [path]',
    description: 'open a running server in the browser: its front page, or a project, group or user',
    options: openOptions,
    examples: ['forgelet open', 'forgelet open acme/web --port 3000', 'forgelet open --print'],
    load: async () => (await import('../open.ts')).openCommand,
  }),
  command({
    usage: 'init [folder]',
    description: 'write a seed and a test that uses it',
    options: initOptions,
    examples: ['forgelet init', 'forgelet init test/forge --runner vitest'],
    load: async () => (await import('../init.ts')).initCommand,
  }),
  command({
    usage: 'schema <name>',
    description: 'print the JSON Schema of seed files (seed) or of the configuration file (config), for editors',
    options: {},
    examples: ['forgelet schema seed > seed.schema.json', 'forgelet schema config > config.schema.json'],
    load: async () => (await import('../schema.ts')).schemaCommand,
  }),
  command({
    usage: 'completion <shell>',
    description: 'print a script that completes commands and options in bash, zsh or fish',
    options: {},
    examples: [
      'source <(forgelet completion bash)',
      'source <(forgelet completion zsh)',
      'forgelet completion fish | source',
    ],
    load: async () => (await import('../completion.ts')).completionCommand,
  }),
]
