import type { createScimClient, DirectoryUser } from './scim-client.ts'

/**
 * Synchronizes a group with a directory: creates new users, deactivates inactive ones, deletes the others.
 *
 * @returns one line per change
 */
export async function provision(
  group: ReturnType<typeof createScimClient>,
  directory: readonly DirectoryUser[],
): Promise<string[]> {
  const linked = new Set((await group.list()).map(({ id }) => id))
  const lines: string[] = []
  for (const user of directory) {
    const { externalId, userName, active } = user
    if (active && !linked.has(externalId)) {
      await group.create(user)
      lines.push(`created ${userName}`)
    }
    if (!active && linked.has(externalId)) {
      await group.deactivate(externalId)
      lines.push(`deactivated ${userName}`)
    }
  }
  const ids = new Set(directory.map(({ externalId }) => externalId))
  for (const externalId of linked) {
    if (ids.has(externalId)) continue
    await group.remove(externalId)
    lines.push(`deleted ${externalId}`)
  }
  return lines
}
