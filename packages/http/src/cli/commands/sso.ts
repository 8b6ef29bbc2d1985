import type { Session } from '@forgelet/core'
import { UsageError } from '../cli-error.ts'
import { type AnyCommand, itemCommand, listCommand } from '../command.ts'
import { textOption } from '../option-types.ts'

type NewToken = Awaited<ReturnType<Session['sso']['createToken']>>

const providerColumns = ['name', 'enabled', 'createdAt'] as const

const toTokenId = (text = '') => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(`'${text}' is not the id of a token; forgelet scim list <group> lists them`)
}

const reportToken = ({ id }: NewToken, { args }: { readonly args: readonly string[] }) =>
  `SCIM token ${id} of ${args[0]}. It cannot be shown again.`

/** Prints nothing but the secret on stdout, for `TOKEN=$(…)`. */
const printSecret = ({ secret }: NewToken) => secret

export const ssoCommands: readonly AnyCommand[] = [
  itemCommand({
    usage: 'sso enable <group>',
    description: 'enable single sign-on and SCIM for a group',
    options: {
      provider: textOption(
        '--provider <name>',
        'name of the identity provider (default: group_saml, or the present one)',
      ),
    },
    examples: ['forgelet sso enable acme', 'forgelet sso enable acme --provider openid_connect'],
    run: ({ sso }: Session, { args: [group = ''], options: { provider } }) =>
      sso.enable({ group, ...(provider !== undefined && { provider }) }),
    print: providerColumns,
  }),
  itemCommand({
    usage: 'sso disable <group>',
    description: 'disable single sign-on of a group: its SCIM tokens are rejected',
    examples: ['forgelet sso disable acme'],
    run: ({ sso }, { args: [group = ''] }) => sso.disable({ group }),
    print: providerColumns,
  }),
  listCommand({
    usage: 'scim list <group>',
    description: 'list the SCIM tokens of a group, without their secrets',
    examples: ['forgelet scim list acme'],
    noun: 'tokens',
    columns: ['id', 'createdAt'],
    read: ({ sso }, { args: [group = ''], paging }) => sso.listTokens({ group, ...paging }),
  }),
  itemCommand({
    usage: 'scim create <group>',
    description: 'create a token with which the identity provider of a group manages its users',
    examples: ['TOKEN=$(forgelet scim create acme)'],
    run: ({ sso }, { args: [group = ''] }) => sso.createToken({ group }),
    print: printSecret,
    report: reportToken,
  }),
  itemCommand({
    usage: 'scim rotate <group> <id>',
    description: 'replace the secret of a SCIM token',
    examples: ['TOKEN=$(forgelet scim rotate acme 1)'],
    run: ({ sso }, { args: [group = '', id] }) => sso.rotateToken({ group, token: toTokenId(id) }),
    print: printSecret,
    report: reportToken,
  }),
  itemCommand({
    usage: 'scim revoke <group> <id>',
    description: 'revoke a SCIM token immediately',
    examples: ['forgelet scim revoke acme 1'],
    run: ({ sso }, { args: [group = '', id] }) => sso.revokeToken({ group, token: toTokenId(id) }),
    report: (_, { args }) => `Revoked the SCIM token ${args[1]} of ${args[0]}.`,
  }),
]
