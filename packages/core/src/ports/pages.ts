/** How the host serves the static pages of projects. */
export interface Pages {
  /** If false, all Pages operations report `not_found`. */
  readonly enabled: boolean
  /** The host of pages without a domain: `pages.example.com`. It and its subdomains are reserved. */
  readonly host?: string
}

export const defaultPages: Pages = { enabled: true }
