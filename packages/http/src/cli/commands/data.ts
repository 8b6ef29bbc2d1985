import { type AnyCommand, command } from '../command.ts'
import {
  backupOptions,
  copyOptions,
  doctorOptions,
  exportOptions,
  importOptions,
  jsonDataOptions,
  repositoryImportOptions,
  restoreOptions,
  seedOptions,
} from '../options.ts'

/** Commands that write, copy or check all data. */
export const dataCommands: readonly AnyCommand[] = [
  command({
    usage: 'seed <file...>',
    description: 'add seed data from JSON or YAML files; the word demo is the demo data',
    options: seedOptions,
    examples: [
      'forgelet seed world.yaml',
      'forgelet seed world.json --data ./forge.db --json',
      'forgelet seed world.yaml --if-missing',
      'forgelet seed users.yaml world.yaml --check',
    ],
    load: async () => (await import('../seed.ts')).seedCommand,
  }),
  command({
    usage: 'export [file]',
    description: 'write the data as a seed; without a file, to stdout',
    options: exportOptions,
    examples: ['forgelet export world.yaml', 'forgelet export --json --data ./forge.db > world.json'],
    load: async () => (await import('../export.ts')).exportCommand,
  }),
  command({
    usage: 'import <file>',
    description: 'convert recorded responses (HAR, nock, Polly.js, VCR or a list) to seed data',
    options: importOptions,
    examples: ['forgelet import gitlab.har --output world.yaml', 'forgelet import cassette.yaml --json > world.json'],
    load: async () => (await import('../import.ts')).importCommand,
  }),
  command({
    usage: 'backup <folder>',
    description: 'copy the data file, its key and its repositories into a new folder, also while a server runs',
    options: backupOptions,
    examples: ['forgelet backup /var/backups/forge-monday', 'forgelet backup ./copy --data ./forge.db --json'],
    load: async () => (await import('../backup.ts')).backupCommand,
  }),
  command({
    usage: 'restore <folder>',
    description: 'restore a backup',
    options: restoreOptions,
    examples: ['forgelet restore /var/backups/forge-monday', 'forgelet restore ./copy --data ./forge.db --force'],
    load: async () => (await import('../restore.ts')).restoreCommand,
  }),
  command({
    usage: 'copy',
    description: 'copy all rows of a database to an empty one, between SQLite and PostgreSQL, and compare both',
    options: copyOptions,
    examples: [
      'forgelet copy --from ./forge.db --to postgres://forge@localhost/forge',
      'FORGELET_FROM=postgres://forge:secret@db.example/forge forgelet copy --to ./forge.db',
    ],
    load: async () => (await import('../copy.ts')).copyCommand,
  }),
  command({
    usage: 'migrate',
    description: 'migrate the data to this version, after a copy of the data file',
    options: jsonDataOptions,
    examples: ['forgelet migrate', 'forgelet migrate --data ./forge.db --json'],
    load: async () => (await import('../migrate.ts')).migrateCommand,
  }),
  command({
    usage: 'doctor',
    description: 'check the data and report problems; changes nothing',
    options: doctorOptions,
    examples: ['forgelet doctor', 'forgelet doctor --data ./forge.db --json'],
    load: async () => (await import('../doctor.ts')).doctorCommand,
  }),
  command({
    usage: 'repository import <project> <folder>',
    description: 'copy a local git repository, with all branches and tags, into a project without code',
    options: repositoryImportOptions,
    examples: [
      'forgelet repository import acme/web ~/code/web',
      'forgelet repository import acme/web /srv/git/web.git',
    ],
    load: async () => (await import('../repository-import.ts')).repositoryImportCommand,
  }),
]
