import type { Command } from './command.ts'

interface Entry {
  readonly name: string
  readonly says: string
  load(): Promise<Command>
}

/** Everything the command line can do; only the command that is asked for is loaded. */
export const commands: readonly Entry[] = [
  {
    name: 'serve',
    says: 'serve a forge over HTTP',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'seed',
    says: 'add a world that is written down as JSON or YAML',
    load: async () => (await import('./seed.ts')).seedCommand,
  },
  {
    name: 'token create',
    says: 'issue a personal access token',
    load: async () => (await import('./token-create.ts')).tokenCreateCommand,
  },
  {
    name: 'user create',
    says: 'add a user',
    load: async () => (await import('./user-create.ts')).userCreateCommand,
  },
]
