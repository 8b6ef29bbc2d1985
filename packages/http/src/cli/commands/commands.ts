import type { AnyCommand } from '../command.ts'
import { groupCommands, projectCommands } from './containers.ts'
import { dataCommands } from './data.ts'
import { memberCommands } from './members.ts'
import { registryCommands } from './registry.ts'
import { settingCommands } from './settings.ts'
import { sshCommands } from './ssh.ts'
import { ssoCommands } from './sso.ts'
import { tokenCommands } from './tokens.ts'
import { serveDefinition, toolCommands } from './tools.ts'
import { userCommands } from './users.ts'

/** All subcommands, in the order of the help. */
export const commands: readonly AnyCommand[] = [
  serveDefinition,
  ...dataCommands,
  ...userCommands,
  ...tokenCommands,
  ...groupCommands,
  ...projectCommands,
  ...memberCommands,
  ...settingCommands,
  ...sshCommands,
  ...ssoCommands,
  ...registryCommands,
  ...toolCommands,
]

/** Descriptions of the words that several subcommands begin with. */
export const familyDescriptions: Readonly<Record<string, string>> = {
  user: 'manage users',
  token: 'manage personal access tokens',
  group: 'manage groups',
  project: 'manage projects',
  member: 'manage members of groups and projects',
  settings: 'manage the application settings',
  sso: 'manage single sign-on of groups',
  scim: 'manage the tokens of identity providers',
  registry: 'manage the container registry',
  repository: 'manage repositories',
  ssh: 'serve git over SSH with the sshd of this machine',
}
