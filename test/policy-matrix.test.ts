import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { visibilities } from '../packages/core/src/access/levels.ts'
import {
  abilitiesOf,
  allowed,
  kinds,
  memberRoles,
  permissionsPage,
  type Role,
  roles,
  ruleOf,
  waysOf,
} from './reference/matrix.ts'
import { examples } from './reference/subjects.ts'

/** Every question there is: may this role do this, on a thing like this? */
const questions = kinds.flatMap((kind) =>
  abilitiesOf(kind).flatMap((ability) =>
    [...waysOf(kind)].flatMap(([way, make]) =>
      visibilities.map((visibility) => ({
        kind,
        ability,
        text: `${ability} on a ${visibility} ${kind}${way && `, ${way}`}`,
        may: (role: Role) => allowed(kind, ability, role, make(visibility, role.access)),
      })),
    ),
  ),
)

const named = (name: string) => roles.find((role) => role.name === name) as Role

test('the page shows what the policy says', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reference/permissions.md'), 'utf8')
  expect(page, 'run pnpm docs:reference and read what has changed').toBe(permissionsPage())
})

test('every kind of thing has an example', () => {
  expect(new Set(Object.keys(examples))).toEqual(new Set(kinds))
})

describe('in every case', () => {
  test('a higher role may do whatever a lower one may', () => {
    // Asking to be let in, and ending one's own request, are the things that members have no use for.
    const found = questions.flatMap(({ text, may }) =>
      memberRoles
        .slice(1)
        .flatMap((role, at) => (may(memberRoles[at] as Role) && !may(role) ? [`${role.name}: ${text}`] : [])),
    )
    expect(found).toEqual([])
  })

  test('an external user may do no more than others, and nobody no more than an external user', () => {
    const found = questions.flatMap(({ text, may }) => [
      ...(may(named('external')) && !may(named('no member')) ? [`external: ${text}`] : []),
      ...(may(named('anonymous')) && !may(named('external')) ? [`anonymous: ${text}`] : []),
    ])
    expect(found).toEqual([])
  })

  test('less is open on private things than on internal ones, and there less than on public ones', () => {
    const open = (role: Role) => {
      const ways = new Map<string, Map<string, boolean>>()
      for (const { kind, text, ability, may } of questions) {
        const [, visibility = ''] = / on a (public|internal|private) /.exec(text) ?? []
        const key = `${kind} ${ability} ${text.replace(` ${visibility} `, ' ')}`
        ways.set(key, (ways.get(key) ?? new Map()).set(visibility, may(role)))
      }
      return ways
    }
    const found = roles.flatMap((role) =>
      [...open(role)].flatMap(([key, at]) =>
        (at.get('private') && !at.get('internal')) || (at.get('internal') && !at.get('public'))
          ? [`${role.name}: ${key}`]
          : [],
      ),
    )
    expect(found).toEqual([])
  })

  test('the host may do what administrators may', () => {
    const found = questions.filter(({ may }) => may(named('administrator')) && !may(named('host')))
    expect(found.map(({ text }) => text)).toEqual([])
  })

  test('where a rule says that nobody can pass it, they can pass it somewhere', () => {
    const passing = new Set(questions.filter(({ may }) => may(named('anonymous'))).map(({ ability }) => ability))
    const said = kinds.flatMap((kind) => abilitiesOf(kind).filter((ability) => ruleOf(kind, ability).anonymous))
    expect(said.filter((ability) => !passing.has(ability))).toEqual([])
  })

  test('where a rule does not say so, it would refuse them on any usual thing by itself', () => {
    const found = kinds.flatMap((kind) =>
      abilitiesOf(kind).filter((ability) => {
        const rule = ruleOf(kind, ability)
        const usual = waysOf(kind).get('')?.('public', 0)
        return !rule.anonymous && rule.holds(named('anonymous').actor, usual)
      }),
    )
    expect(found).toEqual([])
  })
})

test('asks hundreds of questions', () => {
  expect(questions.length).toBeGreaterThan(500)
  expect(permissionsPage().length).toBeGreaterThan(questions.length)
})
