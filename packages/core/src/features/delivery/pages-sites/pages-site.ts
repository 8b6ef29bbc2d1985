import type { Readable } from 'node:stream'

/** A published site. */
export interface PagesDeployment {
  /** When it was published: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Directory of the artifacts that is the root of the site, such as `public`. */
  rootDirectory: string
}

/** Where a site is, and what is published. */
export interface PagesSite {
  /** Full path of the project. */
  projectPath: string
  /** Host of the site: its primary domain, or a host below that of all sites; null if the host serves sites on paths only. */
  host: string | null
  /** Path of the site at its host, such as `/web`; empty for the root. */
  path: string
  /** Whether the site has a host of its own below the host of all sites. */
  isUniqueDomainEnabled: boolean
  /** Whether requests without TLS are redirected, where the domain has a certificate. */
  forceHttps: boolean
  /** Host to which requests at other hosts are redirected; null for none. */
  primaryDomain: string | null
  /** The published site; empty if nothing is published. */
  deployments: readonly PagesDeployment[]
}

/** A file of a site. The stream must be consumed or destroyed. */
export interface PagesFileReply {
  /** `file` for a file of the site. */
  readonly kind: 'file'
  /** 404 for the page of missing files. */
  readonly status: 200 | 404
  /** Last part of the path of the file. */
  readonly fileName: string
  /** Bytes. */
  readonly size: number
  /** 64 hexadecimal digits. */
  readonly sha256: string
  /** Whether everybody may see the site. */
  readonly isPublic: boolean
  /** The bytes of the file. */
  readonly content: Readable
}

/** Another address. */
export interface PagesRedirect {
  /** `redirect` for another address. */
  readonly kind: 'redirect'
  /** 301 is permanent, 302 is not. */
  readonly status: 301 | 302
  /** Path at the same host, or URL. */
  readonly location: string
  /** Whether everybody may see the site. */
  readonly isPublic: boolean
}

/** What a site answers to a request. */
export type PagesReply = PagesFileReply | PagesRedirect
