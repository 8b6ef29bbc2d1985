import type { Page } from '@forgelet/core'
import type { LabelEvent } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { label } from './label.ts'
import { rows, section } from './rows.ts'
import { time } from './time.ts'
import { userLink } from './user.ts'

/** The changes of labels, which leave no system notes; nothing without any. */
export const labelHistory = (ctx: PageContext, events: Page<LabelEvent>): Html | false =>
  (events.items.length > 0 || events.page > 1) &&
  section(
    'label-history',
    'Label history',
    rows(ctx, events, {
      empty: 'No changes.',
      parameter: 'labels_page',
      row: ({ user, action, label: changed, createdAt }) =>
        html`<span class="muted">${user === null ? 'The host' : userLink(ctx, user)} ${action === 'add' ? 'added' : 'removed'}</span> ${changed === null ? 'a label that no longer exists' : label(changed.name, changed.color)}<span class="muted">, ${time(createdAt)}</span>`,
    }),
  )
