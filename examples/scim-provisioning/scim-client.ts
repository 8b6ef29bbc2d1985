/** A user of the directory. `externalId` never changes. */
export interface DirectoryUser {
  readonly externalId: string
  readonly userName: string
  readonly email: string
  readonly name: string
  readonly active: boolean
}

/** A user in a response. */
export interface ScimUser {
  readonly id: string
  readonly userName: string
  readonly active: boolean
}

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/**
 * A SCIM client (RFC 7644) for the users of one group.
 *
 * @param url SCIM URL of the group: `https://forge.example/api/scim/v2/groups/acme`
 */
export const createScimClient = (url: string, token: string) => {
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/Users${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} /Users${path} returned ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const pathOf = (externalId: string) => `/${encodeURIComponent(externalId)}`

  return {
    /** All provisioned users, without deactivated ones. */
    async list(): Promise<ScimUser[]> {
      const users: ScimUser[] = []
      for (let total = 1; users.length < total; ) {
        const page = await send('GET', `?startIndex=${users.length + 1}&count=100`)
        users.push(...page.Resources)
        total = page.Resources.length ? page.totalResults : 0
      }
      return users
    },
    create: ({ externalId, userName, email, name }: DirectoryUser): Promise<ScimUser> =>
      send('POST', '', {
        schemas: [userSchema],
        externalId,
        userName,
        name: { formatted: name },
        emails: [{ type: 'work', value: email, primary: true }],
        active: true,
      }),
    /** Removes the membership and the link. The account remains, and `create` links it again. */
    deactivate: (externalId: string) =>
      send('PATCH', pathOf(externalId), {
        schemas: [patchSchema],
        Operations: [{ op: 'replace', path: 'active', value: false }],
      }),
    remove: (externalId: string) => send('DELETE', pathOf(externalId)),
  }
}
