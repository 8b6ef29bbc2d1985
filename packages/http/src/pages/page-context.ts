import type { Session } from '@forgelet/core'
import type { PageSettings } from '@forgelet/core/operations'
import { normalizeLocalPath } from '../reply/local-path.ts'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import type { Html } from './html.ts'

/** The signed-in caller. */
export interface Viewer {
  /** For display. */
  readonly name: string
  /** Undefined for the host application, which has no user. */
  readonly username: string | undefined
  /** The id of the user; undefined for the host application, and if the token does not permit reading the user. */
  readonly id: number | undefined
  /** Whether the user has to accept the terms of service first; omitted if not. */
  readonly mustAcceptTerms?: boolean
  /** Whether the user is an administrator; omitted if that is not known. */
  readonly admin?: boolean
}

/** What a page needs of a request. */
export interface PageContext {
  readonly request: IncomingRequest
  /** All operations, with the identity of the visitor. */
  readonly session: Session
  /** Checks passwords, before a user is known. */
  readonly service: Session
  /** Undefined for anonymous visitors. */
  readonly viewer: Viewer | undefined
  /** The URL of the site, without a trailing slash. */
  readonly siteUrl: string
  /** The port of git over SSH; undefined if the server does not offer it. */
  readonly sshPort: number | undefined
  /** The path of the site's URL, without a trailing slash: empty, or such as `/forge`. */
  readonly base: string
  /** The path of the page, without `base`, as sent. */
  readonly path: string
  /** The variable parts of the path: the project or the group of the page, or the path of either. */
  readonly place: PageParameters
  /** Reads the texts and settings of the pages once for each page. */
  readSettings(): Promise<PageSettings>
  /** The parameters of the query. */
  readonly query: URLSearchParams
  /** Whether visitors can sign in with a token: the host has no sign-in of its own. */
  readonly hasSignIn: boolean
  /** Where users can sign in at an identity provider; undefined if there is none. */
  readonly identityProvider: { readonly path: string; readonly label: string } | undefined
  /** Whether the API reference is served. */
  readonly hasReference: boolean
  /** The URL of a page. Slashes in the parts separate segments; other characters are encoded. */
  url(...parts: readonly (string | number)[]): string
}

/** The variable parts of a page's path, decoded. */
export type PageParameters = Readonly<Record<string, string>>

/** The content of a page. */
export interface PageContent {
  /** The start of the document title. */
  readonly title: string
  /** The content of `main`, with one `h1`. */
  readonly body: Html
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates a page, or a complete reply such as a file or a redirect. */
export type View = (ctx: PageContext, parameters: PageParameters) => Promise<PageContent | Reply>

/** Headers of pages whose address is a secret, which neither caches nor other sites may receive. */
export const keyHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
}

/** Encodes the segments of a path. */
export const encodePath = (path: string | number): string => String(path).split('/').map(encodeURIComponent).join('/')

/** A number in a path, such as an iid; 0, which no object has, for other text. */
export const readNumber = (text: string | undefined): number => (/^[0-9]{1,15}$/.test(text ?? '') ? Number(text) : 0)

/** The number of a page of a list in a parameter of the query; 1 for other text. */
export const readPageNumber = ({ query }: PageContext, name = 'page'): number =>
  Math.max(1, readNumber(query.get(name) ?? undefined))

/** A redirect to another page of this site; to the first one for other addresses. */
export const redirectTo = (location: string): Reply => ({
  status: 302,
  headers: { Location: normalizeLocalPath(location) ?? '/' },
})
