import { type JsonObject, readFlag, readInstant, readText, withoutUndefined } from './json-fields.ts'
import { addUserOf, fill, type RecordedWorld, type SeedUser } from './recorded-world.ts'
import { listObjects, type ReadResponse, recordingRoute } from './recording-route.ts'

const readProfile = (user: JsonObject): SeedUser['profile'] => {
  const profile = withoutUndefined({
    bio: readText(user, 'bio', 255),
    location: readText(user, 'location', 255),
    organization: readText(user, 'organization', 255),
    jobTitle: readText(user, 'job_title', 255),
    pronouns: readText(user, 'pronouns', 255),
    discord: readText(user, 'discord', 255),
    github: readText(user, 'github', 255),
  })
  return Object.keys(profile).length ? profile : undefined
}

const addUser = (world: RecordedWorld, user: JsonObject) => {
  const username = addUserOf(world, user)
  const recorded = world.addUser(username)
  if (!recorded) return
  fill<SeedUser>(recorded, {
    email: readText(user, 'email', 255),
    admin: readFlag(user, 'is_admin') || undefined,
    external: readFlag(user, 'external') || undefined,
    bot: readFlag(user, 'bot') || undefined,
    privateProfile: readFlag(user, 'private_profile') || undefined,
    blocked: readText(user, 'state') === 'blocked' || undefined,
    createdAt: readInstant(user, 'created_at'),
    profile: readProfile(user),
  })
}

const readUsers: ReadResponse = (world, { body }) => {
  for (const user of listObjects(body)) addUser(world, user)
  return undefined
}

const readCurrentUser: ReadResponse = (world, response) => {
  for (const { username } of listObjects(response.body)) {
    if (typeof username === 'string') world.currentUsers.add(username.toLowerCase())
  }
  return readUsers(world, response)
}

export const userRoutes = [
  recordingRoute('/user', readCurrentUser),
  recordingRoute('/users', readUsers),
  recordingRoute('/users/:id', readUsers),
]
