import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { visibilities } from '../packages/core/src/access/levels.ts'
import {
  abilitiesOf,
  allowed,
  casesOf,
  kinds,
  memberRoles,
  permissionsPage,
  type Role,
  roles,
  ruleOf,
} from './reference/matrix.ts'
import { examples } from './reference/subjects.ts'

/** Every combination of ability, kind of subject, special case and visibility. */
const questions = kinds.flatMap((kind) =>
  abilitiesOf(kind).flatMap((ability) =>
    [...casesOf(kind)].flatMap(([special, make]) =>
      visibilities.map((visibility) => ({
        kind,
        ability,
        text: `${ability} on a ${visibility} ${kind}${special && `, ${special}`}`,
        may: (role: Role) => allowed(kind, ability, role, make(visibility, role.access)),
      })),
    ),
  ),
)

const roleNamed = (name: string) => roles.find((role) => role.name === name) as Role

test('the permissions page is up to date', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reference/permissions.md'), 'utf8')
  expect(page, 'run pnpm docs:reference and review the diff').toBe(permissionsPage())
})

test('every kind of subject has an example', () => {
  expect(new Set(Object.keys(examples))).toEqual(new Set(kinds))
})

describe('the policy', () => {
  test('grants a higher role every ability of a lower role', () => {
    // The first role is skipped: creating and withdrawing an access request are not abilities of members.
    const violations = questions.flatMap(({ text, may }) =>
      memberRoles
        .slice(1)
        .flatMap((role, at) => (may(memberRoles[at] as Role) && !may(role) ? [`${role.name}: ${text}`] : [])),
    )
    expect(violations).toEqual([])
  })

  test('grants external users no more than others, and anonymous users no more than external users', () => {
    const violations = questions.flatMap(({ text, may }) => [
      ...(may(roleNamed('external')) && !may(roleNamed('no member')) ? [`external: ${text}`] : []),
      ...(may(roleNamed('anonymous')) && !may(roleNamed('external')) ? [`anonymous: ${text}`] : []),
    ])
    expect(violations).toEqual([])
  })

  test('grants no more on private subjects than on internal ones, and no more there than on public ones', () => {
    const allowedByVisibility = (role: Role) => {
      const cases = new Map<string, Map<string, boolean>>()
      for (const { kind, text, ability, may } of questions) {
        const [, visibility = ''] = / on a (public|internal|private) /.exec(text) ?? []
        const key = `${kind} ${ability} ${text.replace(` ${visibility} `, ' ')}`
        cases.set(key, (cases.get(key) ?? new Map()).set(visibility, may(role)))
      }
      return cases
    }
    const violations = roles.flatMap((role) =>
      [...allowedByVisibility(role)].flatMap(([key, at]) =>
        (at.get('private') && !at.get('internal')) || (at.get('internal') && !at.get('public'))
          ? [`${role.name}: ${key}`]
          : [],
      ),
    )
    expect(violations).toEqual([])
  })

  test('grants the host every ability of administrators', () => {
    const violations = questions.filter(({ may }) => may(roleNamed('administrator')) && !may(roleNamed('host')))
    expect(violations.map(({ text }) => text)).toEqual([])
  })

  test('allows anonymous users at least one case of each rule with allowsAnonymous', () => {
    const passing = new Set(questions.filter(({ may }) => may(roleNamed('anonymous'))).map(({ ability }) => ability))
    const declared = kinds.flatMap((kind) =>
      abilitiesOf(kind).filter((ability) => ruleOf(kind, ability).allowsAnonymous),
    )
    expect(declared.filter((ability) => !passing.has(ability))).toEqual([])
  })

  test('rejects anonymous users on usual subjects in each rule without allowsAnonymous', () => {
    const violations = kinds.flatMap((kind) =>
      abilitiesOf(kind).filter((ability) => {
        const rule = ruleOf(kind, ability)
        const usual = casesOf(kind).get('')?.('public', 0)
        return !rule.allowsAnonymous && rule.allows(roleNamed('anonymous').actor, usual)
      }),
    )
    expect(violations).toEqual([])
  })
})

test('covers hundreds of combinations', () => {
  expect(questions.length).toBeGreaterThan(500)
  expect(permissionsPage().length).toBeGreaterThan(questions.length)
})
