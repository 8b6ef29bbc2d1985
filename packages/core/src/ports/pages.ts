/** How the host serves the static pages of projects. */
export interface Pages {
  /** False: it does not, and then nothing of their domains exists. */
  readonly enabled: boolean
  /** Where pages are served that have no domain of their own: `pages.example.com`. Nobody can have it, nor a name below it. */
  readonly host?: string
}

export const pagesAnywhere: Pages = { enabled: true }
