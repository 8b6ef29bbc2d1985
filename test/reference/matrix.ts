import { policy, type Rule, type Subjects, visible } from '@forgelet/core/policy'
import { Access, type Visibility, visibilities } from '../../packages/core/src/access/levels.ts'
import { type Actor, nobody, type Person } from '../../packages/core/src/kernel/actor.ts'
import { reader } from './records.ts'
import { type Example, examples } from './subjects.ts'

type Kind = keyof Subjects

/** Somebody, and the level they hold on the thing. */
export interface Role {
  readonly name: string
  readonly actor: Actor
  readonly access: number
}

const person: Person = {
  kind: 'user',
  id: reader,
  username: 'reader',
  name: 'Reader',
  admin: false,
  external: false,
  scopes: null,
}

/** From the least to the most: each of the members may do whatever the one before may. */
export const memberRoles: readonly Role[] = (['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const).map(
  (name) => ({ name, actor: person, access: Access[name] }),
)

export const roles: readonly Role[] = [
  { name: 'anonymous', actor: nobody, access: Access.none },
  { name: 'external', actor: { ...person, external: true }, access: Access.none },
  { name: 'no member', actor: person, access: Access.none },
  ...memberRoles,
  { name: 'administrator', actor: { ...person, admin: true }, access: Access.none },
  { name: 'host', actor: { kind: 'system', reason: 'reference' }, access: Access.none },
]

/** What an actor may do is what the platform lets through: they may come at all, they see the thing, and the rule holds. */
export const allowed = (kind: Kind, ability: string, { actor }: Role, subject: unknown): boolean => {
  const rule = ruleOf(kind, ability)
  if (actor.kind === 'nobody' && !rule.anonymous) return false
  return (visible[kind] as Rule<unknown>).holds(actor, subject) && rule.holds(actor, subject)
}

export const kinds = Object.keys(policy) as Kind[]
export const abilitiesOf = (kind: Kind): string[] => Object.keys(policy[kind])
export const ruleOf = (kind: Kind, ability: string): Rule<unknown> =>
  (policy[kind] as unknown as Readonly<Record<string, Rule<unknown>>>)[ability] as Rule<unknown>

/** Every way the thing can be: the usual one under `''`, the special ones under their sentence. */
export const waysOf = (kind: Kind): ReadonlyMap<string, (visibility: Visibility, access: number) => unknown> => {
  const { usual, special } = examples[kind] as Example<unknown>
  return new Map([
    ['', usual],
    ...Object.entries(special).map(
      ([sentence, changed]) =>
        [sentence, (visibility: Visibility, access: number) => changed(usual(visibility, access))] as const,
    ),
  ])
}

const widest: readonly Visibility[] = [...visibilities].reverse()

/** `all`, `public, internal`, or a dash: where a role may do something. */
const cell = (kind: Kind, ability: string, role: Role, make: (visibility: Visibility, access: number) => unknown) => {
  const open = widest.filter((visibility) => allowed(kind, ability, role, make(visibility, role.access)))
  if (open.length === 0) return '–'
  if (open.length < widest.length) return open.join(', ')
  return examples[kind].hasVisibility ? 'all' : 'yes'
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const head = (first: readonly string[]) => [
  row([...first, ...roles.map(({ name }) => name)]),
  row([...first, ...roles].map(() => '---')),
]

const title = (kind: Kind) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const section = (kind: Kind): string => {
  const ways = waysOf(kind)
  const usual = ways.get('') as (visibility: Visibility, access: number) => unknown
  const cells = (ability: string, make: (visibility: Visibility, access: number) => unknown) =>
    roles.map((role) => cell(kind, ability, role, make))
  const rows = abilitiesOf(kind).map((ability) => row([`\`${ability}\``, ...cells(ability, usual)]))
  const special = [...ways].flatMap(([sentence, make]) =>
    abilitiesOf(kind)
      .filter((ability) => cells(ability, make).join() !== cells(ability, usual).join())
      .map((ability) => row([sentence, `\`${ability}\``, ...cells(ability, make)])),
  )
  const says = abilitiesOf(kind).map((ability) => `- \`${ability}\`: ${ruleOf(kind, ability).says}`)
  return [
    `## On ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${title(kind)}`,
    '',
    ...says,
    '',
    ...head(['ability']),
    ...rows,
    ...(special.length ? ['', 'What is different when', '', ...head(['when', 'ability']), ...special] : []),
  ].join('\n')
}

const introduction = `# Permissions

Who may do what, worked out from the rules in \`packages/core/src/policy.ts\`. This page is generated
(\`pnpm docs:reference\`); a test keeps it up to date.

A cell names the visibilities on which the role may do it: *all*, some of them, or – for none. Roles are levels on the
thing itself, inherited and shared memberships included. *no member* is any user who is signed in; *external* is one who
sees only public things and what they are a member of. *host* is the program around the library, through
\`platform.as({ system: 'reason' })\`. Whoever does not see a thing is told that it does not exist.`

/** The page as Markdown. */
export const permissionsPage = (): string => `${[introduction, ...kinds.map(section)].join('\n\n')}\n`
