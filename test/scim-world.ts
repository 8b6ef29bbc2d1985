import type { FakeForge, Seed } from '@forgelet/fixtures'
import { expect } from 'vitest'

/**
 * Two groups with an identity provider each, a subgroup, a group with a disabled provider and one without a provider.
 * `linked` belongs to the first two and was provisioned by neither; `olga` is the only owner of the first.
 */
export const scimSeed: Seed = {
  users: [
    { username: 'root', admin: true, tokens: [{ secret: 'root-token' }] },
    { username: 'olga', name: 'Olga Owner', email: 'olga@example.com', tokens: [{ secret: 'olga-token' }] },
    { username: 'linked', name: 'Linked Person', email: 'linked@example.com', tokens: [{ secret: 'linked-token' }] },
    { username: 'guest', tokens: [{ secret: 'guest-token' }] },
    { username: 'stranger', email: 'stranger@example.com', tokens: [{ secret: 'stranger-token' }] },
  ],
  groups: [
    {
      path: 'acme',
      visibility: 'private',
      members: [
        { user: 'olga', access: 'owner' },
        { user: 'linked', access: 'developer' },
        { user: 'guest', access: 'guest' },
      ],
      sso: {
        provider: 'acme-saml',
        scimTokens: [{ secret: 'acme-scim' }],
        identities: [
          { user: 'olga', externUid: 'OLGA-1' },
          { user: 'linked', externUid: 'linked-a' },
        ],
      },
    },
    {
      path: 'other',
      visibility: 'private',
      members: [{ user: 'linked', access: 'guest' }],
      sso: {
        scimTokens: [{ secret: 'other-scim' }],
        identities: [{ user: 'linked', externUid: 'linked-b' }],
      },
    },
    { path: 'acme/tools', visibility: 'private', sso: { scimTokens: [{ secret: 'tools-scim' }] } },
    { path: 'off', visibility: 'private', sso: { enabled: false, scimTokens: [{ secret: 'off-scim' }] } },
    { path: 'plain', visibility: 'public' },
  ],
}

export const scimType = 'application/scim+json'

interface ScimResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

export type SendScim = (
  line: string,
  json?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ScimResponse>

/** Sends requests like the identity provider of a group: `scim('PATCH /Users/1', { … })`. */
export const provider =
  (forge: FakeForge, group = 'acme', token = 'acme-scim'): SendScim =>
  async (line, json, headers = {}) => {
    const [method, path] = line.split(/ (.*)/s) as [string, string]
    const body = json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }
    const response = await forge.fetch(`${forge.url}/api/scim/v2/groups/${group}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': scimType, accept: scimType, ...headers },
      ...body,
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      text,
      headers: response.headers,
    }
  }

/** The body of a create request as Okta and Entra send it. */
export const newUser = (name: string, overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  externalId: `uid-${name}`,
  userName: `${name}@example.com`,
  active: true,
  emails: [{ primary: true, type: 'work', value: `${name}@example.com` }],
  name: { formatted: `${name} Person`, familyName: 'Person', givenName: name },
  meta: { resourceType: 'User' },
  ...overrides,
})

export const patchOf = (...Operations: unknown[]): Record<string, unknown> => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

/** The error of RFC 7644 section 3.12. */
export const scimError = (status: number, scimType?: string): Record<string, unknown> => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  ...(scimType !== undefined && { scimType }),
  detail: expect.any(String),
  status: String(status),
})
