import { addMadeUpMigration } from '../support/made-up-migration.ts'

// Node imports this file before the command.
addMadeUpMigration()
