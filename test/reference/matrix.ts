import { isVisibleTo, policy, type Rule, type Subjects } from '@forgelet/core/policy'
import { Access, type Visibility, visibilities } from '../../packages/core/src/access/levels.ts'
import { type Actor, anonymous, type UserActor } from '../../packages/core/src/kernel/actor.ts'
import { currentUserId } from './example-rows.ts'
import { type Example, examples } from './subjects.ts'

type Kind = keyof Subjects

/** An actor, and their access level on the subject. */
export interface Role {
  readonly name: string
  readonly actor: Actor
  readonly access: number
}

const person: UserActor = {
  kind: 'user',
  id: currentUserId,
  username: 'reader',
  name: 'Reader',
  admin: false,
  external: false,
  bot: false,
  scopes: null,
}

/** In ascending order: each role has all abilities of the previous one. */
export const memberRoles: readonly Role[] = (['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const).map(
  (name) => ({ name, actor: person, access: Access[name] }),
)

export const roles: readonly Role[] = [
  { name: 'anonymous', actor: anonymous, access: Access.none },
  { name: 'external', actor: { ...person, external: true }, access: Access.none },
  { name: 'no member', actor: person, access: Access.none },
  ...memberRoles,
  { name: 'administrator', actor: { ...person, admin: true }, access: Access.none },
  { name: 'host', actor: { kind: 'system', reason: 'reference' }, access: Access.none },
]

/** Whether the platform permits a call: anonymous access, the visibility of the subject, and the rule of the ability. */
export const allowed = (kind: Kind, ability: string, { actor }: Role, subject: unknown): boolean => {
  const rule = ruleOf(kind, ability)
  if (actor.kind === 'anonymous' && !rule.allowsAnonymous) return false
  return isVisibleTo(actor, { ...(subject as object), kind } as Subjects[Kind]) && rule.allows(actor, subject)
}

export const kinds = Object.keys(policy) as Kind[]
export const abilitiesOf = (kind: Kind): string[] => Object.keys(policy[kind])
export const ruleOf = (kind: Kind, ability: string): Rule<unknown> =>
  (policy[kind] as unknown as Readonly<Record<string, Rule<unknown>>>)[ability] as Rule<unknown>

/** Builders of the example subjects: the usual one under `''`, special cases under their description. */
export const casesOf = (kind: Kind): ReadonlyMap<string, (visibility: Visibility, access: number) => unknown> => {
  const { usual, special } = examples[kind] as Example<unknown>
  return new Map([
    ['', usual],
    ...Object.entries(special).map(
      ([sentence, changed]) =>
        [sentence, (visibility: Visibility, access: number) => changed(usual(visibility, access))] as const,
    ),
  ])
}

const widestFirst: readonly Visibility[] = [...visibilities].reverse()

/** The visibilities on which a role has the ability: `all`, `public, internal`, or a dash. */
const cell = (kind: Kind, ability: string, role: Role, make: (visibility: Visibility, access: number) => unknown) => {
  const allowedOn = widestFirst.filter((visibility) => allowed(kind, ability, role, make(visibility, role.access)))
  if (allowedOn.length === 0) return '–'
  if (allowedOn.length < widestFirst.length) return allowedOn.join(', ')
  return examples[kind].hasVisibility ? 'all' : 'yes'
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const head = (first: readonly string[]) => [
  row([...first, ...roles.map(({ name }) => name)]),
  row([...first, ...roles].map(() => '---')),
]

const title = (kind: Kind) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const section = (kind: Kind): string => {
  const cases = casesOf(kind)
  const usual = cases.get('') as (visibility: Visibility, access: number) => unknown
  const cells = (ability: string, make: (visibility: Visibility, access: number) => unknown) =>
    roles.map((role) => cell(kind, ability, role, make))
  const rows = abilitiesOf(kind).map((ability) => row([`\`${ability}\``, ...cells(ability, usual)]))
  const special = [...cases].flatMap(([sentence, make]) =>
    abilitiesOf(kind)
      .filter((ability) => cells(ability, make).join() !== cells(ability, usual).join())
      .map((ability) => row([sentence, `\`${ability}\``, ...cells(ability, make)])),
  )
  const descriptions = abilitiesOf(kind).map((ability) => `- \`${ability}\`: ${ruleOf(kind, ability).description}`)
  return [
    `## On ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${title(kind)}`,
    '',
    ...descriptions,
    '',
    ...head(['ability']),
    ...rows,
    ...(special.length ? ['', 'Exceptions', '', ...head(['when', 'ability']), ...special] : []),
  ].join('\n')
}

const introduction = `# Permissions

The abilities of each role, computed from the rules in \`packages/core/src/policy.ts\`. \`pnpm docs:reference\` generates this
page, and a test checks that it is up to date.

A cell lists the visibilities on which the role has the ability: *all*, some of them, or – for none. Roles are access levels on
the subject, including inherited and shared memberships. *no member* is any signed-in user without a membership; *external* is
an external user, who sees only public subjects and those they are a member of. *host* is the embedding program, through
\`platform.as({ system: 'reason' })\`. For a caller who cannot see a subject, it does not exist.`

/** The page as Markdown. */
export const permissionsPage = (): string => `${[introduction, ...kinds.map(section)].join('\n\n')}\n`
