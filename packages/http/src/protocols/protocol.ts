import type { Identity, Platform } from '@forgelet/core'
import type { HostIdentity } from '../app/app-options.ts'
import type { Reply } from '../reply/reply.ts'
import type { GetHeader } from '../request/credentials.ts'
import type { Parameters } from '../request/parameters.ts'

/** How a protocol authenticates requests and formats replies. */
export interface Protocol {
  /** Content type of JSON replies. */
  readonly mediaType: string
  /** Name of the error schema in the OpenAPI document. */
  readonly errorSchema: 'Error' | 'ScimError'
  /** Names of the security schemes in the OpenAPI document. */
  readonly security: readonly string[]
  /** Whether form bodies are rejected. */
  readonly jsonOnly: boolean
  /** Checks the credential before the path and the body are read. */
  authenticate?(platform: Platform, header: GetHeader): Promise<unknown>
  /**
   * @param sources the parameters of the query, then those of the body
   * @param identifyHost the host's own sign-in; undefined if the request's token counts
   */
  readIdentity(
    header: GetHeader,
    sources: readonly Parameters[],
    identifyHost: () => HostIdentity,
  ): Identity | Promise<Identity>
  /** The reply for a platform error; undefined for any other error. */
  createErrorReply(error: unknown, toWireName: (field: string) => string): Reply | undefined
  /** Applies parameters of the protocol, which no operation has, to a successful reply. */
  finishReply?(reply: Reply, parameters: Parameters): Reply
  /** Converts an error reply of the main API to the format of this protocol. */
  convertErrorReply(reply: Reply): Reply
  /** The reply for a path that exists, but not for this method. */
  createMethodNotAllowedReply(): Reply
}
