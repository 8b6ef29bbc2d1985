import { once } from 'node:events'
import { InMemStorageProvider, Unleash } from 'unleash-client'

// An application with feature flags: prints for which of its users each flag is on. Arguments: URL, instance id, environment, users.
const [url, instanceId, appName, ...users] = process.argv.slice(2)

const unleash = new Unleash({
  url,
  instanceId,
  appName,
  storageProvider: new InMemStorageProvider(),
})
const problems = []
unleash.on('error', (error) => problems.push(String(error)))
unleash.on('warn', (warning) => problems.push(String(warning)))
const registered = once(unleash, 'registered')
await once(unleash, 'synchronized')
await registered
const flags = unleash.getFeatureToggleDefinitions().map(({ name }) => name)
const usersOf = Object.fromEntries(
  flags.map((flag) => [flag, users.filter((userId) => unleash.isEnabled(flag, { userId }))]),
)
const sent = once(unleash, 'sent')
await unleash.destroyWithFlush()
await sent
console.log(JSON.stringify({ usersOf, problems }))
