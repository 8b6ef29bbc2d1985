import type { Identity, Platform } from '@forgelet/core'
import type { AppOptions, Ask } from './app.ts'
import { identityOf } from './credentials.ts'
import type { Parameters } from './parameters.ts'
import { refusal } from './refusal.ts'
import type { Reply } from './reply.ts'

type Header = (name: string) => string | undefined

/** What differs between the protocols that are served: who asks, and how replies look. */
export interface Protocol {
  /** Of every reply that has a body. */
  readonly mediaType: string
  /** What the description of the API calls the form of its refusals. */
  readonly errorSchema: 'Error' | 'ScimError'
  /** Ways to sign in, as the description calls them. */
  readonly security: readonly string[]
  /** Whether forms are refused as bodies. */
  readonly jsonOnly: boolean
  /** Looks at the credential before anything else of the request, its body and its address included. */
  admit?(platform: Platform, header: Header): Promise<unknown>
  /** @param identify the host's own sign-in */
  identityOf(ask: Pick<Ask, 'header' | 'request'>, sent: Parameters, identify?: AppOptions['identify']): Identity
  /** How a refusal of the platform leaves; undefined for a defect. */
  refusal(error: unknown, name: (field: string) => string): Reply | undefined
  /** A refusal in the words of the main API, as this protocol says it. */
  early(reply: Reply): Reply
  /** An address that exists, but not with this method. */
  methodRefused(method: string): Reply
}

/** The main API. */
export const mainProtocol: Protocol = {
  mediaType: 'application/json',
  errorSchema: 'Error',
  security: ['token', 'bearer'],
  jsonOnly: false,
  identityOf({ header, request }, sent, identify) {
    const claimed = identify?.(header, request)
    return claimed === undefined ? identityOf(header, sent) : claimed
  },
  refusal,
  early: (reply) => reply,
  methodRefused: () => ({ status: 405, body: { error: '405 Not Allowed' } }),
}
