import { isPlatformError } from '@forgelet/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../property-runs.ts'
import { newUser, patchOf, scimSeed } from '../scim-world.ts'
import { world } from '../world.ts'
import { type ModelUser, modelCommand, type Outcome, ScimModel } from './scim-model.ts'

const outcomeOf = async (request: Promise<unknown>): Promise<Outcome> => {
  try {
    await request
    return 'ok'
  } catch (error) {
    if (!isPlatformError(error)) throw error
    return error.code === 'invalid_input' ? String(error.reason) : error.code
  }
}

/** Milliseconds; enough for many runs. */
const timeout = 300_000

/** Two users whom the group provisioned, the first with known parts of the name, and one whom the host linked. */
const initialUsers = (): ModelUser[] => [
  {
    linked: true,
    managed: true,
    externUid: 'uid-zoe',
    username: 'zoe',
    name: 'zoe Person',
    givenName: 'zoe',
    familyName: 'Person',
    email: 'zoe@example.com',
  },
  {
    linked: true,
    managed: true,
    externUid: 'uid-yan',
    username: 'yan',
    name: 'Yan',
    givenName: null,
    familyName: null,
    email: 'yan@example.com',
  },
  {
    linked: true,
    managed: false,
    externUid: 'linked-a',
    username: 'linked',
    name: 'Linked Person',
    givenName: null,
    familyName: null,
    email: 'linked@example.com',
  },
]

test(
  'SCIM users follow the model in any sequence of PATCH, PUT and creation',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(modelCommand, { minLength: 1, maxLength: 15 }), async (commands) => {
        await using forge = await world({ seed: scimSeed })
        const group = 'acme'
        const { scim } = forge.platform.as({ scim: 'acme-scim' })
        await scim.create({ group, resource: newUser('zoe') })
        await scim.create({ group, resource: newUser('yan', { name: { formatted: 'Yan' } }) })
        const model = new ScimModel(initialUsers())
        for (const [index, command] of commands.entries()) {
          const target = model.users[command.user] as ModelUser
          const { externUid: user, linked, managed, email } = target
          if (command.kind === 'patch') {
            const request = patchOf(...command.operations.map(({ request }) => request))
            const outcome = outcomeOf(scim.patch({ group, user: linked ? user : 'unknown', request }))
            expect(await outcome).toBe(model.change(command))
          } else if (command.kind === 'put') {
            const outcome = outcomeOf(
              scim.replace({ group, user: linked ? user : 'unknown', resource: command.resource }),
            )
            expect(await outcome).toBe(model.change(command))
          } else if (!linked && managed) {
            const externUid = `relinked-${index}`
            await scim.create({ group, resource: newUser('unused', { externalId: externUid, emails: email }) })
            Object.assign(target, { linked: true, externUid })
          }
          const { users } = await scim.list({ group })
          const expected = model.users
            .filter(({ linked }) => linked)
            .map(({ externUid, username, name, email }) => ({ externUid, username, name, email }))
          const listed = users
            .filter(({ username }) => username !== 'olga')
            .map(({ externUid, username, name, email }) => ({ externUid, username, name, email }))
          const byUid = (a: { externUid: string }, b: { externUid: string }) => (a.externUid < b.externUid ? -1 : 1)
          expect(listed.sort(byUid)).toEqual(expected.sort(byUid))
        }
      }),
      propertyRuns(6),
    )
  },
  timeout,
)
