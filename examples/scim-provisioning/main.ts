import { createPlatform, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { serve } from '@forgelet/http'
import { provision } from './provision.ts'
import { createScimClient, type DirectoryUser } from './scim-client.ts'

/** A forge in memory with the group `acme`, which has single sign-on and a SCIM token. */
const openForge = async () => {
  const platform = createPlatform(sqlite(':memory:'))
  await seed(platform, {
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
  const server = await serve(platform, { port: 0 })
  return { platform, server }
}

const directoryUser = (externalId: string, userName: string, active = true): DirectoryUser => ({
  externalId,
  userName,
  email: `${userName}@acme.example`,
  name: userName[0]?.toUpperCase() + userName.slice(1),
  active,
})

const days: readonly (readonly DirectoryUser[])[] = [
  [directoryUser('p-1', 'alice'), directoryUser('p-2', 'ben'), directoryUser('p-3', 'chris')],
  [directoryUser('p-1', 'alice'), directoryUser('p-2', 'ben', false)],
  [directoryUser('p-1', 'alice'), directoryUser('p-2', 'ben')],
]

const { SCIM_URL, SCIM_TOKEN = 'scim-token' } = process.env
const forge = SCIM_URL === undefined ? await openForge() : undefined
const group = createScimClient(SCIM_URL ?? `${forge?.server.url}/api/scim/v2/groups/acme`, SCIM_TOKEN)

for (const [day, directory] of days.entries()) {
  console.log(`Day ${day + 1}: ${(await provision(group, directory)).join(', ')}`)
}
console.log((await group.list()).map(({ userName }) => userName).join(' '))
if (forge) {
  const { items } = await forge.platform.as({ system: 'example' }).members.list({ group: 'acme' })
  console.log(items.map(({ username }) => username).join(' '))
}

await forge?.server.close()
await forge?.platform.close()
