import type { FakeForge } from '@forgelet/fixtures'

/** A page, or a redirect to another site. */
export interface Visited {
  readonly status: number
  /** The URL of the page; for a redirect to another site, that of its target. */
  readonly url: URL
  readonly text: string
  readonly headers: Headers
}

export interface Browser {
  /** Requests a page with the cookies of earlier replies, and follows redirects of this site. */
  open(url: string | URL): Promise<Visited>
  /** Submits a form of a page. */
  submit(page: Visited, fields: Readonly<Record<string, string>>): Promise<Visited>
  /** Signs in with the token of a user. */
  signIn(username: string): Promise<void>
  /** Sent with each request. */
  readonly cookies: Map<string, { readonly value: string; readonly path: string }>
}

const formPattern = /<form method="post"(?: action="(?<action>[^"]*)")?[^>]*>(?<content>[\s\S]*?)<\/form>/g
const hiddenPattern = /<input type="hidden" name="(?<name>[^"]*)" value="(?<value>[^"]*)">/g

/** The fields and the action of the form that has one of the fields. Every page has a form to sign out, too. */
const readForm = ({ text, url }: Visited, fields: Readonly<Record<string, string>>) => {
  const forms = [...text.matchAll(formPattern)].map(({ groups }) => groups as { action?: string; content: string })
  const name = Object.keys(fields)[0] as string
  const form = forms.find(({ content }) => content.includes(`name="${name}"`))
  if (!form) throw new Error(`The page has no form with the field ${name}: ${text}`)
  const hidden = [...form.content.matchAll(hiddenPattern)].map(({ groups }) => [groups?.name, groups?.value])
  return { action: new URL(form.action ?? url.href, url), hidden: Object.fromEntries(hidden) }
}

/** A browser without scripts that requests pages of a forge. */
export const createBrowser = ({ fetch, url: siteUrl, token }: FakeForge): Browser => {
  const cookies: Browser['cookies'] = new Map()
  const { origin } = new URL(siteUrl)

  const store = (headers: Headers, { pathname }: URL) => {
    for (const cookie of headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(/; ?/)
      const [name, value] = pair.split(/=(.*)/s) as [string, string]
      const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? pathname
      if (value === '' || /expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, { value, path })
    }
  }

  const request = async (url: URL, init: RequestInit = {}): Promise<Visited> => {
    if (url.origin !== origin) return { status: 302, url, text: '', headers: new Headers() }
    const sent = [...cookies].filter(([, { path }]) => url.pathname.startsWith(path))
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        Accept: 'text/html,*/*;q=0.8',
        Cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    })
    store(response.headers, url)
    const location = response.headers.get('location')
    if (location !== null) return request(new URL(location, url))
    return { status: response.status, url, text: await response.text(), headers: response.headers }
  }

  const post = (url: URL, fields: Readonly<Record<string, string>>) =>
    request(url, { method: 'POST', body: new URLSearchParams(fields), headers: { Origin: origin } })

  return {
    cookies,
    open: (url) => request(new URL(url, siteUrl)),
    submit(page, fields) {
      const { action, hidden } = readForm(page, fields)
      return post(action, { ...hidden, ...fields })
    },
    async signIn(username) {
      await post(new URL(`${siteUrl}/-/sign_in`), { token: token(username) })
    },
  }
}
