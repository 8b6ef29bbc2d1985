import type { UserActor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { escapeHtml } from '../../../ports/markdown/escape-html.ts'
import { getMailHost, type MailContent } from '../../administration/mail/compose-mail.ts'
import { sealLink } from '../../administration/mail/sealed-link.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { NotifiableEvent } from '../notification-settings/notification-setting.ts'
import { isSubscribable, type NotificationTarget } from '../notification-settings/target.ts'
import type { Notification } from './notification.ts'

/** What the mail of each event says; `%` is the name of the user who caused it. */
const sentences: Readonly<Record<NotifiableEvent, string>> = {
  newNote: '% commented:',
  newIssue: '% created an issue:',
  reopenIssue: 'The issue was reopened by %.',
  closeIssue: 'The issue was closed by %.',
  reassignIssue: '% changed the assignees of the issue.',
  issueDue: 'The issue is due tomorrow.',
  newMergeRequest: '% created a merge request:',
  pushToMergeRequest: '% pushed new commits to the merge request.',
  reopenMergeRequest: 'The merge request was reopened by %.',
  closeMergeRequest: 'The merge request was closed by %.',
  reassignMergeRequest: '% changed the assignees of the merge request.',
  mergeMergeRequest: 'The merge request was merged by %.',
  failedPipeline: 'The pipeline has failed.',
  fixedPipeline: 'The pipeline has been fixed.',
  successPipeline: 'The pipeline has passed.',
  newEpic: '% created an epic:',
  relabel: '% added labels.',
}

/** Events whose mail contains the text of the item or the comment. */
const withText: readonly NotifiableEvent[] = ['newNote', 'newIssue', 'newMergeRequest', 'newEpic']
/** Events whose mail begins a thread; others are replies in it. */
const beginsThread: readonly NotifiableEvent[] = ['newIssue', 'newMergeRequest', 'newEpic']

interface Place {
  /** Name of the kind in headers, such as `Issue`. */
  readonly kind: string
  readonly id: number
  readonly title: string
  readonly reference: string
  readonly description: string
  readonly path: string
}

const describe = (target: NotificationTarget): Place => {
  switch (target.kind) {
    case 'issue': {
      const { id, iid, title, description } = target.issue
      const path = `${target.project.fullPath}/-/issues/${iid}`
      return { kind: 'Issue', id, title, reference: `#${iid}`, description: description ?? '', path }
    }
    case 'mergeRequest': {
      const { id, iid, title, description } = target.mergeRequest
      const path = `${target.project.fullPath}/-/merge_requests/${iid}`
      return { kind: 'MergeRequest', id, title, reference: `!${iid}`, description: description ?? '', path }
    }
    case 'epic': {
      const { id, iid, title, description } = target.epic
      const path = `groups/${target.group.fullPath}/-/epics/${iid}`
      return { kind: 'Epic', id, title, reference: `&${iid}`, description: description ?? '', path }
    }
    case 'snippet': {
      const { id, title, description } = target.snippet
      const path = target.project ? `${target.project.fullPath}/-/snippets/${id}` : `-/snippets/${id}`
      return { kind: 'Snippet', id, title, reference: `$${id}`, description: description ?? '', path }
    }
    case 'commitComment': {
      const { id, sha } = target.comment
      const path = `${target.project.fullPath}/-/commit/${sha}`
      return { kind: 'Commit', id, title: 'Commit', reference: sha.slice(0, 8), description: '', path }
    }
    case 'pipeline': {
      const { id, ref, sha } = target.pipeline
      const path = `${target.project.fullPath}/-/pipelines/${id}`
      return { kind: 'Pipeline', id, title: `Pipeline for ${ref}`, reference: sha.slice(0, 8), description: '', path }
    }
  }
}

/** `List-Id` (RFC 2919): the full path, and its segments in reverse order as a host name. */
const toListId = (fullPath: string, host: string) => {
  const labels = fullPath
    .split('/')
    .reverse()
    .map((part) => part.toLowerCase().replace(/[^a-z0-9-]+/g, '-'))
  return `${fullPath} <${[...labels, host].join('.')}>`
}

/** A line of the footer: text, or text before a URL. */
const toLink = (line: string) => {
  const [label, url] = line.split(/: (?=https?:)/)
  return url === undefined ? escapeHtml(line) : `<a href="${escapeHtml(url)}">${escapeHtml(label ?? '')}</a>`
}

/** The mail of a notification. */
interface NotificationMail {
  readonly content: MailContent
  /** Markdown that the mail contains after its first sentence; empty for none. */
  readonly markdown: string
  /** The mail as HTML, with the rendered Markdown. */
  toHtml(rendered: string): string
}

interface MailInput {
  readonly notification: Pick<Notification, 'id' | 'event' | 'reason' | 'noteId'>
  readonly target: NotificationTarget
  /** Text of the comment; undefined without one. */
  readonly body: string | undefined
  readonly author: { readonly name: string; readonly username: string } | undefined
  readonly user: UserActor
  readonly to: string
  readonly siteUrl: string | null
}

/** Describes a notification to its user, who can read the target and the comment. */
export async function describeNotification(ctx: Context, input: MailInput): Promise<NotificationMail> {
  const { notification, target, body, author, user, to, siteUrl } = input
  const { id, event, reason, noteId } = notification
  const place = describe(target)
  const { emailAuthorInBody } = await getSettings(ctx)
  const host = getMailHost(ctx, siteUrl)
  const container = target.kind === 'epic' ? target.group : target.project
  const subject = `${container ? `${container.name} | ` : ''}${place.title} (${place.reference})`
  const sentence = sentences[event].replace('%', author?.name ?? 'An administrator')
  const shown = emailAuthorInBody && author ? `${sentence} (@${author.username})` : sentence
  const markdown = withText.includes(event) ? (body ?? place.description) : ''
  const url = siteUrl === null ? undefined : `${siteUrl}/${place.path}${noteId === null ? '' : `#note_${noteId}`}`
  const unsubscribe =
    isSubscribable(target) && siteUrl !== null
      ? sealLink(ctx, 'unsubscribe', [user.id, target.kind, place.id])
      : undefined
  const unsubscribeUrl = unsubscribe && `${siteUrl}/-/sent_notifications/${unsubscribe}/unsubscribe`
  const footer = [
    '-- ',
    ...(url === undefined ? [] : [`View it: ${url}`]),
    `You receive this e-mail because of your account on ${host}.`,
    ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe from this thread: ${unsubscribeUrl}`]),
  ]
  const thread = `<${target.kind}.${place.id}@${host}>`
  const isReply = !beginsThread.includes(event)
  const { project } = target.kind === 'epic' ? { project: null } : target
  return {
    markdown,
    toHtml: (rendered) =>
      `<p>${escapeHtml(shown)}</p>\n${rendered}\n<p>${footer.slice(1).map(toLink).join('<br>')}</p>`,
    content: {
      key: `notification.${id}`,
      to,
      subject: isReply ? `Re: ${subject}` : subject,
      ...(author && { fromName: author.name }),
      text: [shown, ...(markdown === '' ? [] : [markdown]), footer.join('\n')].join('\n\n'),
      siteUrl,
      headers: {
        'In-Reply-To': thread,
        References: thread,
        'List-Id': container ? toListId(container.fullPath, host) : undefined,
        'List-Unsubscribe': unsubscribeUrl && `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': unsubscribeUrl && 'List-Unsubscribe=One-Click',
        'X-GitLab-NotificationReason': reason,
        [`X-GitLab-${place.kind}-ID`]: String(place.id),
        'X-GitLab-Author': author?.username,
        'X-GitLab-Project': project?.name,
        'X-GitLab-Project-Id': project ? String(project.id) : undefined,
        'X-GitLab-Project-Path': project?.fullPath,
      },
    },
  }
}
