import * as v from 'valibot'
import { instance, place, toPlaceKey } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, forbidden, invalid } from '../../../kernel/errors.ts'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../../kernel/operation.ts'
import { isEmail } from '../../../shared/text.ts'
import { confirmEmail, isEmailTaken, readEmailAddresses } from '../../accounts/users/email-addresses.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { todoTarget } from '../todos/todo-target.ts'
import { parseLevel, type SettingInput, selectEvents, settingInput } from './inputs.ts'
import { findMentionedIds } from './mentioned.ts'
import { availableEvents, isEventEnabled, type NotificationSetting, notifiableEvents } from './notification-setting.ts'
import { readSetting, type SettingScope, storeSetting } from './queries.ts'
import { findRecipients, readNotificationEmail } from './recipients.ts'

/** The host has no notification settings. */
const requireUserId = ({ actor }: Context): number => {
  if (actor.kind !== 'user') throw forbidden('Only users have notification settings')
  return actor.id
}

const availableEventsAt = (ctx: Context, { projectId, groupId }: SettingScope) =>
  availableEvents(projectId !== null ? 'project' : groupId !== null ? 'group' : 'global', ctx.tier)

const isGlobal = ({ projectId, groupId }: SettingScope) => projectId === null && groupId === null

const readSettingOf = async (ctx: Context, userId: number, scope: SettingScope): Promise<NotificationSetting> => {
  const { level, events, notificationEmail } = await readSetting(ctx, userId, scope)
  return {
    level,
    ...(isGlobal(scope) && { notificationEmail: await readNotificationEmail(ctx, userId, notificationEmail) }),
    ...(level === 'custom' && {
      events: Object.fromEntries(availableEventsAt(ctx, scope).map((event) => [event, isEventEnabled(events, event)])),
    }),
  }
}

const onlyGlobalEmail: InputRule<Readonly<Record<string, unknown>>> = ({ project, group, notificationEmail }) =>
  notificationEmail !== undefined && (project ?? group) !== undefined
    ? { fields: ['notificationEmail'], message: 'is for the global setting only' }
    : undefined

/** @throws PlatformError `invalid` unless the user has confirmed the address */
const findOwnEmail = async (ctx: Context, userId: number, wanted: string): Promise<string> => {
  const addresses = await readEmailAddresses(ctx, userId)
  const email = addresses.find((address) => address.toLowerCase() === wanted.toLowerCase())
  if (email === undefined) throw invalid({ notificationEmail: ['is not an email you own'] })
  return email
}

/** Merges an input into the stored setting. An empty input stores nothing. */
const updateSetting = async (
  ctx: Context,
  userId: number,
  scope: SettingScope,
  input: SettingInput,
  email?: string,
) => {
  const level = parseLevel(input.level)
  const events = selectEvents(input, availableEventsAt(ctx, scope))
  if (level === undefined && email === undefined && Object.keys(events).length === 0) return
  const stored = await readSetting(ctx, userId, scope)
  await storeSetting(ctx, userId, scope, {
    level: level ?? stored.level,
    notificationEmail: email ?? stored.notificationEmail,
    events: { ...stored.events, ...events },
  })
}

export const notificationSettings = {
  /** Gets the setting of the current user for a project or a group, or, without both, the global one for all others. */
  get: query({
    on: place,
    can: 'notification.manage',
    run: (ctx, _input, subject) => readSettingOf(ctx, requireUserId(ctx), toPlaceKey(subject)),
  }),

  /** Changes the setting of the current user for a project or a group, or, without both, the global one. Omitted fields keep their values. */
  update: command({
    on: place,
    can: 'notification.manage',
    input: {
      ...settingInput,
      /** Address of the global setting: a confirmed one of the current user, ignoring case; unchanged if omitted. */
      notificationEmail: v.optional(v.string()),
    },
    rules: [onlyGlobalEmail],
    async run(ctx, { notificationEmail, ...input }, subject) {
      const userId = requireUserId(ctx)
      const scope = toPlaceKey(subject)
      parseLevel(input.level)
      const email = notificationEmail === undefined ? undefined : await findOwnEmail(ctx, userId, notificationEmail)
      await updateSetting(ctx, userId, scope, input, email)
      return readSettingOf(ctx, userId, scope)
    },
  }),

  /**
   * Lists, for the host application, the users to notify of an event on an issue, a merge request or an epic, by user id. The
   * list is empty if `emailsDisabled` of the project or of a group above is true. Users who unsubscribed from the item are notified only
   * of mentions.
   */
  listRecipients: query({
    on: todoTarget,
    can: 'notification.send',
    input: {
      /**
       * The event that happened: one of those of the settings, or `relabel` if labels were added to an issue or a merge
       * request. Subscribers of labels are notified of `relabel`, `newIssue` and `newMergeRequest`, others never of
       * `relabel`.
       */
      event: v.picklist(notifiableEvents),
      /**
       * Ids or usernames of users and full paths of groups that the text of the event mentions, at most 1,000. A group
       * is replaced by its direct members; it is ignored if its `mentionsDisabled` is true.
       */
      mentioned: v.optional(v.pipe(v.array(IdOrName), v.maxLength(1_000)), []),
      /** Ids or names of the labels that the event added, at most 100; all labels of the item if omitted. */
      labels: v.optional(v.pipe(v.array(IdOrName), v.maxLength(100))),
      /** The note of the event `newNote`: users who cannot read it are not notified. */
      note: v.optional(Id),
      /** Id or username of the user who caused the event; never a recipient. */
      actor: v.optional(IdOrName),
    },
    async run(ctx, { event, mentioned, labels, note, actor }, target) {
      const mentionedIds = await findMentionedIds(ctx, mentioned)
      const actorId = actor === undefined ? null : (await findUser(ctx, actor)).id
      return findRecipients(ctx, { event, target, noteId: note, mentioned: mentionedIds, labels, actorId })
    },
  }),

  /**
   * Adds, for the host application, a confirmed e-mail address of a user, or confirms one that the user has added. Fails with
   * `conflict` if another user has it, or if it is confirmed already.
   */
  addEmail: command({
    on: instance,
    can: 'user.manage',
    input: {
      /** Id or username of the user. */
      user: IdOrName,
      /** An address that no other user has, ignoring case. */
      email: v.string(),
    },
    async run(ctx, { user, email }) {
      const { id: userId } = await findUser(ctx, user)
      if (!isEmail(email)) throw invalid({ email: ['is invalid'] })
      if (!(await confirmEmail(ctx, userId, email))) {
        if (await isEmailTaken(ctx, email)) throw conflict('Email has already been taken')
        await ctx.db
          .insertInto('emailAddress')
          .values({ userId, email, createdAt: ctx.now, confirmedAt: ctx.now } satisfies CompleteRow<'emailAddress'>)
          .execute()
      }
      await ctx.emit('user.emailConfirmed', { userId, email })
      return {
        /** The added address. */
        email,
        /** All addresses of the user: first the primary one, then the others in the order of addition. */
        addresses: await readEmailAddresses(ctx, userId),
      }
    },
  }),
}
