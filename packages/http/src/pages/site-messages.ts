import { hash } from 'node:crypto'
import type { Appearance, BroadcastMessage, PageSettings } from '@forgelet/core/operations'
import { renderTexts } from './components/markdown.ts'
import { ifPermitted } from './components/permitted.ts'
import { readLevel } from './components/visitor-level.ts'
import { readHiddenMessages } from './hidden-messages.ts'
import { type Html, html, sanitizedHtml } from './html.ts'
import type { PageContext } from './page-context.ts'

/** The messages of the instance on a page. */
export interface SiteMessages {
  /** Paths of the pictures of the instance, below the site's path; null for the default ones. */
  readonly pictures: Pick<Appearance, 'favicon' | 'headerLogo'>
  /** In `head`. */
  readonly style: Html | false
  /** Before the navigation: the header and the banners. */
  readonly top: Html | false
  /** After the content: the notifications and the footer. */
  readonly bottom: Html | false
  /** The source of `style` in a Content Security Policy. */
  readonly styleSource: string | undefined
}

const selectMessages = async (ctx: PageContext, { messages }: PageSettings): Promise<readonly BroadcastMessage[]> => {
  const hidden = readHiddenMessages(ctx.request.header)
  const shown = messages.filter(({ id, dismissable }) => !dismissable || !hidden.includes(id))
  if (shown.every(({ targetAccessLevels }) => targetAccessLevels.length === 0)) return shown
  const level = await readLevel(ctx)
  return shown.filter(({ targetAccessLevels: levels }) => levels.length === 0 || levels.includes(level))
}

/** Texts as they were written, if the visitor cannot call the platform, such as after the end of the session. */
const renderAll = async (ctx: PageContext, texts: readonly string[]): Promise<readonly (Html | undefined)[]> =>
  (await ifPermitted(renderTexts(ctx, texts))) ?? texts.map((text) => (text === '' ? undefined : html`<p>${text}</p>`))

const hideForm = (ctx: PageContext, { id }: BroadcastMessage): Html =>
  html`<form method="post" action="${ctx.url('-/broadcast_messages')}"><input type="hidden" name="return_to" value="${ctx.request.target}"><button type="submit" name="hide" value="${id}" aria-label="Hide message ${id}">Hide</button></form>`

/** The header, the footer and the broadcast messages for the visitor and the path of the page. */
export const loadSiteMessages = async (ctx: PageContext): Promise<SiteMessages> => {
  const settings = await ctx.readSettings()
  const { headerMessage, footerMessage, messageBackgroundColor, messageFontColor } = settings.appearance
  const messages = await selectMessages(ctx, settings)
  const [header, footer, ...texts] = await renderAll(ctx, [
    headerMessage,
    footerMessage,
    ...messages.map(({ message }) => message),
  ])
  const css = `.instance-message,.instance-message a{background:${messageBackgroundColor};color:${messageFontColor}}`
  const hasStyle = header !== undefined || footer !== undefined
  const show = (type: BroadcastMessage['broadcastType']): readonly Html[] =>
    messages.flatMap((message, index) =>
      message.broadcastType === type
        ? [
            html`<div class="broadcast ${message.theme}"><div>${texts[index]}</div>${message.dismissable && hideForm(ctx, message)}</div>`,
          ]
        : [],
    )
  const banners = show('banner')
  const notifications = show('notification')
  const instanceMessage = (text: Html | undefined) =>
    text !== undefined && html`<div class="instance-message">${text}</div>`
  return {
    pictures: settings.appearance,
    style: hasStyle && html`<style>${sanitizedHtml(css)}</style>`,
    styleSource: hasStyle ? `'sha256-${hash('sha256', css, 'base64')}'` : undefined,
    top:
      (header !== undefined || banners.length > 0) &&
      html`<aside aria-label="Messages">${instanceMessage(header)}${banners}</aside>
`,
    bottom:
      (footer !== undefined || notifications.length > 0) &&
      html`<aside aria-label="Notifications">${notifications.length > 0 && html`<div class="notifications">${notifications}</div>`}${instanceMessage(footer)}</aside>
`,
  }
}
