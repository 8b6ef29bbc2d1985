import type { Platform, Session } from '@forgelet/core'
import { UsageError } from '../cli-error.ts'
import { type AnyCommand, itemCommand, listCommand } from '../command.ts'
import { choiceListOption, futureDateOption, textOption } from '../option-types.ts'

type Scope = NonNullable<NonNullable<Parameters<Platform['tokens']['create']>[0]>['scopes']>[number]

// Not the value of the library, which the start of the command must not load.
const scopes: Readonly<Record<Scope, true>> = {
  api: true,
  read_api: true,
  read_user: true,
  sudo: true,
  read_repository: true,
  write_repository: true,
  read_registry: true,
  write_registry: true,
  create_runner: true,
  manage_runner: true,
  self_rotate: true,
  k8s_proxy: true,
  admin_mode: true,
}

const scopeNames = Object.keys(scopes) as readonly Scope[]

type NewToken = Awaited<ReturnType<Platform['tokens']['create']>>

const columns = ['id', 'name', 'scopes', 'expiresAt', 'revoked', 'createdAt'] as const

const expiryDescription = 'first day on which the token is invalid, such as 2030-12-31'

const toTokenId = (text = '') => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(`'${text}' is not the id of a token; forgelet token list --user <name> lists them`)
}

const describeToken = (token: NewToken, location: string) => {
  const expiry = token.expiresAt === null ? 'without expiry' : `until ${token.expiresAt}`
  const scopes = token.scopes.join(', ')
  return `${expiry}, with the scopes ${scopes}, in ${location}. It cannot be shown again.`
}

/** Prints nothing but the secret on stdout, for `TOKEN=$(…)`. */
const printSecret = ({ secret }: NewToken) => secret

export const tokenCommands: readonly AnyCommand[] = [
  listCommand({
    usage: 'token list',
    description: 'list the personal access tokens of a user, without their secrets',
    options: { user: textOption('--user <name>', 'username of the owner (required)') },
    required: ['user'],
    examples: ['forgelet token list --user alice'],
    noun: 'tokens',
    columns,
    read: ({ tokens }, { options: { user = '' }, paging }) => tokens.list({ user, ...paging }),
  }),
  itemCommand({
    usage: 'token create',
    description: 'create a personal access token',
    options: {
      user: textOption('--user <name>', 'username of the owner (required)'),
      name: textOption('--name <text>', 'name of the token', 'command line'),
      scopes: choiceListOption(
        '--scopes <list>',
        `scopes, separated by commas: ${scopeNames.join(', ')} (default: "api")`,
        scopeNames,
      ),
      expiresAt: futureDateOption('--expires-at <date>', `${expiryDescription} (default: never)`),
    },
    required: ['user'],
    createsData: true,
    examples: [
      'forgelet token create --user alice',
      'TOKEN=$(forgelet token create --user alice --name ci --scopes read_api --expires-at 2030-12-31)',
    ],
    run: async ({ tokens }, { options: { user = '', name, scopes, expiresAt } }) => ({
      user,
      token: await tokens.create({ user, name, scopes: scopes && [...scopes], expiresAt }),
    }),
    json: ({ token }) => token,
    print: ({ token }) => printSecret(token),
    report: ({ user, token }, { location }) => `Token '${token.name}' of ${user}, ${describeToken(token, location)}`,
  }),
  itemCommand({
    usage: 'token rotate <id>',
    description: 'revoke a token and create one with the same name and scopes',
    options: {
      expiresAt: futureDateOption('--expires-at <date>', `${expiryDescription} (default: that of the replaced token)`),
    },
    examples: ['TOKEN=$(forgelet token rotate 7 --expires-at 2030-12-31)'],
    run: ({ tokens }: Session, { args: [id], options: { expiresAt } }) =>
      tokens.rotate({ token: toTokenId(id), expiresAt }),
    print: printSecret,
    report: (token, { args, location }) =>
      `Token '${token.name}' replaces the token ${args[0]}, ${describeToken(token, location)}`,
  }),
  itemCommand({
    usage: 'token revoke <id>',
    description: 'revoke a token immediately',
    examples: ['forgelet token revoke 7'],
    run: ({ tokens }, { args: [id] }) => tokens.revoke({ token: toTokenId(id) }),
    print: columns,
  }),
]
