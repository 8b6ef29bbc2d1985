import type { Release } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { commitLink } from './commit-list.ts'
import { markdown } from './markdown.ts'
import { day } from './time.ts'
import { userLink } from './user.ts'

/** The tag, the author, the notes and the links of a release. */
export const releaseDetails = (ctx: PageContext, release: Release, notes: Html | undefined): Html =>
  html`<p class="muted">Tag ${release.tagName}${release.commit && html` at ${commitLink(ctx, release.commit)}`}, ${release.upcomingRelease ? 'to be released' : 'released'} ${day(release.releasedAt)}${release.author && html` by ${userLink(ctx, release.author)}`}</p>
${markdown(notes, 'No release notes.')}
${
  release.links.length > 0 &&
  html`<ul class="assets">${release.links.map(({ name, url }) => html`<li><a href="${url}" rel="nofollow noreferrer">${name}</a></li>`)}</ul>`
}`
