import type { Person, scimClient } from './scim-client.ts'

/**
 * Makes a group look like a directory: adds who is new, deactivates who is suspended, deletes who has left.
 *
 * @returns what it did, one line each
 */
export async function provision(group: ReturnType<typeof scimClient>, directory: readonly Person[]): Promise<string[]> {
  const linked = new Set((await group.list()).map(({ id }) => id))
  const lines: string[] = []
  for (const person of directory) {
    const { externalId, userName, active } = person
    if (active && !linked.has(externalId)) {
      await group.create(person)
      lines.push(`created ${userName}`)
    }
    if (!active && linked.has(externalId)) {
      await group.deactivate(externalId)
      lines.push(`deactivated ${userName}`)
    }
  }
  const people = new Set(directory.map(({ externalId }) => externalId))
  for (const externalId of linked) {
    if (people.has(externalId)) continue
    await group.remove(externalId)
    lines.push(`deleted ${externalId}`)
  }
  return lines
}
