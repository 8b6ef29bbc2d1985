import type { Session } from '@forgelet/core'
import { getErrorCode } from '@forgelet/core/operations'
import { CliError, UsageError } from '../cli-error.ts'
import { type AnyCommand, itemCommand, listCommand } from '../command.ts'
import { optionalChoiceOption, switchOption, textOption } from '../option-types.ts'

const visibilities = ['private', 'internal', 'public'] as const

const visibilityOption = optionalChoiceOption(
  '--visibility <level>',
  'who can see it (default: the setting of the instance)',
  visibilities,
)

const creationOptions = {
  name: textOption('--name <text>', 'name (default: the last part of the path)'),
  description: textOption('--description <text>', 'description'),
  visibility: visibilityOption,
}

const updateOptions = {
  name: textOption('--name <text>', 'name'),
  path: textOption('--path <path>', 'last part of the path; earlier addresses lead to the new one'),
  description: textOption('--description <text>', 'description'),
  visibility: optionalChoiceOption('--visibility <level>', 'who can see it', visibilities),
}

const searchOption = textOption('--search <text>', 'only those whose name or path contains this text')

const groupColumns = ['id', 'fullPath', 'name', 'visibility'] as const
const projectColumns = ['id', 'fullPath', 'name', 'visibility', 'archived'] as const

/** `acme/tools/deploy` → `acme/tools` and `deploy`; no parent at the top level. */
const splitPath = (fullPath = '') => {
  const lastSlash = fullPath.lastIndexOf('/')
  return { parent: lastSlash > 0 ? fullPath.slice(0, lastSlash) : undefined, path: fullPath.slice(lastSlash + 1) }
}

const isMissing = (error: unknown) => getErrorCode(error) === 'not_found'

/** Explains that the namespace of a new group or project does not exist. */
const explainMissingParent = (
  error: unknown,
  parent: string,
  kinds: readonly ('group' | 'user')[],
  retained: string,
) =>
  isMissing(error)
    ? new CliError(
        `There is no ${kinds.join(' or ')} ${parent}. To create one: ${kinds.map((kind) => `forgelet ${kind} create ${parent}${retained}`).join(', or ')}`,
      )
    : error

export const groupCommands: readonly AnyCommand[] = [
  listCommand({
    usage: 'group list',
    description: 'list groups and subgroups',
    options: { search: searchOption },
    examples: ['forgelet group list', 'forgelet group list --search tools --json'],
    noun: 'groups',
    columns: groupColumns,
    read: ({ groups }, { options: { search }, paging }) =>
      groups.list({ ...paging, search, orderBy: 'id', allAvailable: true }),
  }),
  itemCommand({
    usage: 'group show <path>',
    description: 'print a group',
    examples: ['forgelet group show acme/tools --json'],
    run: ({ groups }, { args: [group = ''] }) => groups.get({ group, withProjects: false }),
    print: groupColumns,
  }),
  itemCommand({
    usage: 'group create <path>',
    description: 'create a group, or a subgroup of an existing group',
    options: creationOptions,
    examples: ['forgelet group create acme --visibility public', 'forgelet group create acme/tools'],
    createsData: true,
    run: async ({ groups }, { args: [fullPath], options: { name, description, visibility }, retained }) => {
      const { parent, path } = splitPath(fullPath)
      try {
        return await groups.create({ parent, path, name: name ?? path, description, visibility })
      } catch (error) {
        throw parent === undefined ? error : explainMissingParent(error, parent, ['group'], retained)
      }
    },
    print: groupColumns,
    report: ({ fullPath }, { retained }) =>
      `Created ${fullPath}. Next: forgelet member add ${fullPath} <username> --access owner${retained}`,
  }),
  itemCommand({
    usage: 'group update <path>',
    description: 'change a group; omitted options stay unchanged',
    options: updateOptions,
    examples: ['forgelet group update acme --visibility private', 'forgelet group update acme/tools --path build'],
    run: ({ groups }, { args: [group = ''], options: { name, path, description, visibility } }) =>
      groups.update({ group, name, path, description, visibility }),
    print: groupColumns,
  }),
  itemCommand({
    usage: 'group remove <path>',
    description: 'remove a group with its subgroups and projects',
    options: { force: switchOption('--force', 'confirm the removal (required)') },
    required: ['force'],
    examples: ['forgelet group remove acme/tools --force'],
    run: ({ groups }, { args: [group = ''] }) => groups.remove({ group }),
    report: (_, { args, location }) => `Removed ${args[0]} from ${location}.`,
  }),
]

export const projectCommands: readonly AnyCommand[] = [
  listCommand({
    usage: 'project list',
    description: 'list projects, newest first',
    options: {
      search: searchOption,
      group: textOption('--group <path>', 'only projects of this group and its subgroups'),
    },
    examples: ['forgelet project list', 'forgelet project list --group acme --json'],
    noun: 'projects',
    columns: projectColumns,
    read: ({ projects }, { options: { search, group }, paging }) =>
      projects.list({ ...paging, search, group, includeSubgroups: true, withShared: false }),
  }),
  itemCommand({
    usage: 'project show <path>',
    description: 'print a project',
    examples: ['forgelet project show acme/web --json'],
    run: ({ projects }, { args: [project = ''] }) => projects.get({ project }),
    print: projectColumns,
  }),
  itemCommand({
    usage: 'project create <path>',
    description: 'create a project of a group or user',
    options: creationOptions,
    examples: ['forgelet project create acme/web --visibility public', 'forgelet project create alice/notes'],
    createsData: true,
    run: async ({ projects }, { args: [fullPath], options: { name, description, visibility }, retained }) => {
      const { parent, path } = splitPath(fullPath)
      if (parent === undefined)
        throw new UsageError(`A project belongs to a group or user: use <namespace>/${path}, such as acme/${path}`)
      try {
        return await projects.create({ namespace: parent, path, name: name ?? path, description, visibility })
      } catch (error) {
        throw explainMissingParent(error, parent, parent.includes('/') ? ['group'] : ['group', 'user'], retained)
      }
    },
    print: projectColumns,
    report: ({ fullPath }, { retained }) =>
      `Created ${fullPath}. To add code: forgelet repository import ${fullPath} <folder>${retained}, ` +
      `or git push <url of the server>/${fullPath}.git <branch>`,
  }),
  itemCommand({
    usage: 'project update <path>',
    description: 'change a project; omitted options stay unchanged',
    options: { ...updateOptions, defaultBranch: textOption('--default-branch <name>', 'default branch') },
    examples: ['forgelet project update acme/web --visibility internal', 'forgelet project update acme/web --name Web'],
    run: ({ projects }, { args: [project = ''], options: { name, path, description, visibility, defaultBranch } }) =>
      projects.update({ project, name, path, description, visibility, defaultBranch }),
    print: projectColumns,
  }),
  itemCommand({
    usage: 'project archive <path>',
    description: 'make a project read-only',
    examples: ['forgelet project archive acme/web'],
    run: ({ projects }, { args: [project = ''] }) => projects.archive({ project }),
    print: projectColumns,
  }),
  itemCommand({
    usage: 'project unarchive <path>',
    description: 'make an archived project writable again',
    examples: ['forgelet project unarchive acme/web'],
    run: ({ projects }, { args: [project = ''] }) => projects.unarchive({ project }),
    print: projectColumns,
  }),
  itemCommand({
    usage: 'project remove <path>',
    description: 'remove a project with all its content',
    options: { force: switchOption('--force', 'confirm the removal (required)') },
    required: ['force'],
    examples: ['forgelet project remove acme/web --force'],
    run: ({ projects }, { args: [project = ''] }) => projects.remove({ project }),
    report: (_, { args, location }) => `Removed ${args[0]} from ${location}.`,
  }),
]

/** Groups and projects share one set of paths. */
export const findContainer = async (
  { groups, projects }: Session,
  path = '',
): Promise<{ group: number } | { project: number }> => {
  const ignoreMissing = (error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  }
  const group = await groups.get({ group: path, withProjects: false }).catch(ignoreMissing)
  return group ? { group: group.id } : { project: (await projects.get({ project: path })).id }
}
