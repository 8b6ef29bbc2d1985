import type { Random } from '../../../ports/random.ts'

/** An application that users can sign in to with their account. */
export interface Application {
  /** Id of the application on the instance. */
  id: number
  /** Public id of the application, which it sends as `client_id`. */
  applicationId: string
  /** Name that the consent page shows. */
  name: string
  /** URIs to which users return after they have signed in. */
  redirectUris: readonly string[]
  /** Scopes that the application can request. */
  scopes: readonly string[]
  /** Whether the application authenticates with its secret. Others have to use PKCE. */
  confidential: boolean
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}

/** An application that may use the account of the current user. */
export interface AuthorizedApplication {
  /** Id of the application on the instance. */
  id: number
  /** Name that the consent page showed. */
  name: string
  /** Since when it may use the account: ISO 8601, UTC, with milliseconds. */
  authorizedAt: string
}

/** An application with its secret, which only the result of its creation contains. */
export interface NewApplication extends Application {
  /** The secret that the application sends as `client_secret`. */
  secret: string
}

/** 256 random bits, in hexadecimal. */
export const generateApplicationId = (random: Random): string => Buffer.from(random.bytes(32)).toString('hex')

/** Generates a secret of 256 random bits, with a prefix that secret scanners can find. */
export const generateApplicationSecret = (random: Random): string =>
  `fgoas-${Buffer.from(random.bytes(32)).toString('base64url')}`
