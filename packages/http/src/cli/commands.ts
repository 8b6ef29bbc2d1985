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
    name: 'backup',
    says: 'copy everything into a folder, while it is served',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    says: 'bring back what backup has written',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'migrate',
    says: 'bring the data up to this version',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'doctor',
    says: 'look the data through and say what is wrong',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'repository import',
    says: 'give a project the code of a git repository',
    load: async () => (await import('./repository-import.ts')).repositoryImportCommand,
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
