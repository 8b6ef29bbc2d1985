import type { Generated } from 'kysely'
import type { OauthScope } from '../../../kernel/scopes.ts'

export interface OauthTables {
  /** An application that users can sign in to with their account, and grant access to the API. */
  oauthApplication: {
    id: Generated<number>
    /** The public client id. */
    applicationId: string
    /** SHA-256 of the client secret, in hexadecimal; the secret itself is not stored. */
    secretDigest: string
    name: string
    redirectUris: readonly string[]
    scopes: readonly OauthScope[]
    /** False for applications that cannot keep a secret. */
    confidential: boolean
    createdAt: string
  }
  /** A token, code, session or other record of the OAuth provider. */
  oauthRecord: {
    id: Generated<number>
    /** The kind, such as `AccessToken`, as `oidc-provider` names its models. */
    model: string
    /** SHA-256 of the secret that identifies the record, in hexadecimal. */
    digest: string
    /** Null for records that belong to no user yet. */
    userId: number | null
    /** Null for records that belong to no application. */
    oauthApplicationId: number | null
    /** SHA-256 of the id of the grant to which a token belongs. */
    grantDigest: string | null
    /** SHA-256 of the second id of a session. */
    uidDigest: string | null
    /** SHA-256 of the code that users enter for a device. */
    userCodeDigest: string | null
    /** The granted scopes of a token; null for other records. */
    scopes: readonly OauthScope[] | null
    /** JSON, sealed in the context `oauth_record.<model>.<digest>`. */
    sealedPayload: string
    /** When a code or a refresh token was used. */
    consumedAt: string | null
    expiresAt: string
    createdAt: string
  }
}
