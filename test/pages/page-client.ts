import type { FakeForge } from '@forgelet/fixtures'

/** What a browser accepts. */
export const browserHeaders = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

/** A page as a visitor sees it. */
export interface VisitedPage {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The document title without the name of the platform; undefined for other content. */
  readonly title: string | undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const readTitle = (text: string): string | undefined =>
  /<title>(?<title>[^<]*) · Forgelet<\/title>/
    .exec(text)
    ?.groups?.title?.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string)

/** Signs in with the token of a user, and returns the cookie. */
export const signIn = async (forge: FakeForge, username: string): Promise<string> => {
  const body = new URLSearchParams({ token: forge.token(username) })
  const response = await forge.fetch('/-/sign_in', { method: 'POST', body, redirect: 'manual' })
  return (response.headers.get('set-cookie') ?? '').split(';', 1)[0] as string
}

/** Requests pages as a browser does, with a cookie if the visitor has signed in. */
export const visitor =
  (forge: FakeForge, cookie?: string) =>
  async (path: string, init: RequestInit = {}): Promise<VisitedPage> => {
    const headers = { ...browserHeaders, ...(cookie !== undefined && { Cookie: cookie }), ...init.headers }
    const response = await forge.fetch(path, { ...init, headers, redirect: 'manual' })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, title: readTitle(text) }
  }
