/** The parts of `oidc-provider` that are used here. The package has no types of its own. */
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Client {
    readonly clientId: string
    readonly clientName?: string
    readonly scope?: string
    compareClientSecret(secret: string): boolean | Promise<boolean>
  }

  interface ProviderSession {
    readonly accountId?: string
    readonly state?: { readonly secret: string; readonly postLogoutRedirectUri?: string }
    destroy(): Promise<void>
  }

  /** The context of a request. */
  interface ProviderContext {
    readonly req: IncomingMessage
    readonly res: ServerResponse
    set(headers: Readonly<Record<string, string>>): void
    status: number
    body: unknown
    type: string
    readonly oidc: {
      readonly route: string
      readonly client?: Client
      readonly session: ProviderSession
      readonly params: Readonly<Record<string, string | undefined>>
      urlFor(name: string): string
    }
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Interaction {
    readonly uid: string
    readonly params: Readonly<Record<string, unknown>>
    readonly prompt: {
      readonly name: string
      readonly reasons: readonly string[]
      readonly details: Readonly<Record<string, unknown>>
    }
    readonly session?: { readonly accountId: string }
    readonly grantId?: string
  }

  export class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    readonly Client: { find(id: string): Promise<Client | undefined>; readonly prototype: Client }
    readonly Grant: {
      new (properties: { readonly accountId: string; readonly clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    readonly Session: { get(context: object): Promise<ProviderSession> }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    createContext(request: IncomingMessage, response: ServerResponse): ProviderContext
    use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { readonly mergeWithLastSubmission?: boolean },
    ): Promise<string>
  }

  export const errors: {
    readonly InvalidGrant: new (description: string) => Error
    readonly SessionNotFound: new (description: string) => Error
  }
}
