import { type Html, html } from '../html.ts'
import type { PageContent, PageContext } from '../page-context.ts'
import type { SiteMessages } from '../site-messages.ts'
import { userLink } from './user.ts'

const account = (ctx: PageContext): Html | false => {
  const { viewer } = ctx
  if (viewer === undefined) {
    const returnTo = ctx.request.target.startsWith('/-/') ? '/' : ctx.request.target
    return (
      ctx.hasSignIn &&
      html`<a href="${ctx.url('-/sign_in')}?${new URLSearchParams({ return_to: returnTo }).toString()}">Sign in</a>`
    )
  }
  const { username, name } = viewer
  return html`${username !== undefined && html`<a href="${ctx.url('-/account')}">Account</a>`} ${username === undefined ? html`<span>${name}</span>` : userLink(ctx, { username, name })}
    ${ctx.hasSignIn && html`<form method="post" action="${ctx.url('-/sign_out')}"><button type="submit">Sign out</button></form>`}`
}

/** The paths of files, below the site's path. */
interface PageAssets {
  readonly styleSheet: string
  readonly icon: string
}

/** The complete document of a page. */
export const layout = (
  ctx: PageContext,
  { title, body }: PageContent,
  { pictures, style, top, bottom }: SiteMessages,
  assets: PageAssets,
): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Forgelet</title>
${pictures.favicon === null ? html`<link rel="icon" href="${ctx.base}${assets.icon}" type="image/svg+xml">` : html`<link rel="icon" href="${ctx.base}${pictures.favicon}">`}
<link rel="manifest" href="${ctx.url('-/manifest.json')}">
<link rel="stylesheet" href="${ctx.base}${assets.styleSheet}">
${style}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${top}<header class="site"><nav aria-label="Site">
<a class="home" href="${ctx.url('')}">${pictures.headerLogo === null ? 'Forgelet' : html`<img src="${ctx.base}${pictures.headerLogo}" alt="Forgelet" height="24">`}</a>
${ctx.hasReference && html`<a href="${ctx.url('-/reference')}">API</a>`}
<a href="${ctx.url('-/snippets')}">Snippets</a>
${ctx.viewer?.username !== undefined && html`<a href="${ctx.url('-/search')}">Search</a> <a href="${ctx.url('-/todos')}">To-do items</a>`}
<span class="account">${account(ctx)}</span>
</nav></header>
<main id="content" tabindex="-1">
${body}
</main>
${bottom}</body>
</html>
`
