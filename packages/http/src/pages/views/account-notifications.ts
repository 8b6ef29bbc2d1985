import { emailEvents, notificationLevels } from '@forgelet/core/operations'
import { accountPage, accountUrl } from '../components/account-page.ts'
import { checkboxes, form as postForm } from '../components/field.ts'
import { findFormError, requireUser, type Submit, seeOther } from '../form.ts'
import { html } from '../html.ts'
import type { PageContent, PageContext, View } from '../page-context.ts'

/** `newNote` as words. */
const toWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const show = async (ctx: PageContext, error?: string): Promise<PageContent> => {
  requireUser(ctx)
  const setting = await ctx.session.notificationSettings.get()
  const levels = notificationLevels.filter((level) => level !== 'global')
  const content = html`${ctx.query.get('changed') !== null && html`<p role="status">The settings were saved.</p>`}
${postForm(
  accountUrl(ctx, 'notifications'),
  'Save',
  html`<label for="level">Level</label>
<select id="level" name="level">${levels.map((level) => html`<option value="${level}"${level === setting.level && html` selected`}>${level}</option>`)}</select>
${checkboxes(
  'event',
  'Events of the level custom',
  emailEvents.map((name) => ({ value: name, label: toWords(name), isChosen: setting.events?.[name] === true })),
)}`,
)}`
  return accountPage(ctx, { section: 'notifications', title: 'Notifications', content, error })
}

/** The global notification setting of the visitor. */
export const view: View = (ctx) => show(ctx)

/** Saves the level, and for the level `custom` the events. */
export const submit: Submit = async (ctx, form) => {
  requireUser(ctx)
  const level = form.get('level') ?? ''
  const chosen = form.getAll('event')
  const events = Object.fromEntries(emailEvents.map((name) => [name, chosen.includes(name)]))
  const error = await findFormError(() =>
    ctx.session.notificationSettings.update({ level, ...(level === 'custom' && { events }) }),
  )
  return error === undefined ? seeOther(`${accountUrl(ctx, 'notifications')}?changed=1`) : show(ctx, error)
}
