import type { UserSummary } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** A link to the page of a user. */
export const userLink = (ctx: PageContext, { username, name }: Pick<UserSummary, 'username' | 'name'>): Html =>
  html`<a class="user" href="${ctx.url(username)}" title="@${username}">${name}</a>`

/** Links to several users, separated by commas. */
export const userLinks = (ctx: PageContext, users: readonly UserSummary[]): Html =>
  html`${users.map((user, index) => html`${index > 0 && ', '}${userLink(ctx, user)}`)}`
