/** Somebody of the directory. `externalId` stays, whatever else changes. */
export interface Person {
  readonly externalId: string
  readonly userName: string
  readonly email: string
  readonly name: string
  readonly active: boolean
}

/** A user as the forge answers it. */
export interface ScimUser {
  readonly id: string
  readonly userName: string
  readonly active: boolean
}

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/**
 * The people of one group, as RFC 7644 reads and writes them.
 *
 * @param url that of the group: `https://forge.example/api/scim/v2/groups/acme`
 */
export const scimClient = (url: string, token: string) => {
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/Users${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was refused with ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const at = (externalId: string) => `/${encodeURIComponent(externalId)}`

  return {
    /** Everybody who is linked. Deactivated people are not. */
    async list(): Promise<ScimUser[]> {
      const users: ScimUser[] = []
      for (let total = 1; users.length < total; ) {
        const page = await ask('GET', `?startIndex=${users.length + 1}&count=100`)
        users.push(...page.Resources)
        total = page.Resources.length ? page.totalResults : 0
      }
      return users
    },
    create: ({ externalId, userName, email, name }: Person): Promise<ScimUser> =>
      ask('POST', '', {
        schemas: [userSchema],
        externalId,
        userName,
        name: { formatted: name },
        emails: [{ type: 'work', value: email, primary: true }],
        active: true,
      }),
    /** Ends the membership and the link; the account stays, and `create` links it again. */
    deactivate: (externalId: string) =>
      ask('PATCH', at(externalId), {
        schemas: [patchSchema],
        Operations: [{ op: 'replace', path: 'active', value: false }],
      }),
    remove: (externalId: string) => ask('DELETE', at(externalId)),
  }
}
