import { createPlatform, sqlite } from '@forgelet/core'
import { plant } from '@forgelet/core/seed'
import { serve } from '@forgelet/http'
import { provision } from './provision.ts'
import { type Person, scimClient } from './scim-client.ts'

/** A forge to try it on: the group `acme`, with single sign-on and a token for its identity provider. */
const openForge = async () => {
  const platform = createPlatform(sqlite(':memory:'))
  await plant(platform, {
    users: [{ username: 'alice', email: 'alice@acme.example' }],
    groups: [
      {
        path: 'acme',
        members: [{ user: 'alice', access: 'owner' }],
        sso: {
          scimTokens: [{ secret: 'scim-token' }],
          identities: [{ user: 'alice', externUid: 'p-1', provisioned: true }],
        },
      },
    ],
  })
  const serving = await serve(platform, { port: 0 })
  return { platform, serving }
}

const person = (externalId: string, userName: string, active = true): Person => ({
  externalId,
  userName,
  email: `${userName}@acme.example`,
  name: userName[0]?.toUpperCase() + userName.slice(1),
  active,
})

const days: readonly (readonly Person[])[] = [
  [person('p-1', 'alice'), person('p-2', 'ben'), person('p-3', 'chris')],
  [person('p-1', 'alice'), person('p-2', 'ben', false)],
  [person('p-1', 'alice'), person('p-2', 'ben')],
]

const { SCIM_URL, SCIM_TOKEN = 'scim-token' } = process.env
const forge = SCIM_URL === undefined ? await openForge() : undefined
const group = scimClient(SCIM_URL ?? `${forge?.serving.url}/api/scim/v2/groups/acme`, SCIM_TOKEN)

for (const [day, directory] of days.entries()) {
  console.log(`Day ${day + 1}: ${(await provision(group, directory)).join(', ')}`)
}
console.log((await group.list()).map(({ userName }) => userName).join(' '))
if (forge) {
  const { items } = await forge.platform.as({ system: 'look' }).members.list({ group: 'acme' })
  console.log(items.map(({ username }) => username).join(' '))
}

await forge?.serving.close()
await forge?.platform.close()
