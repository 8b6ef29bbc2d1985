import * as v from 'valibot'
import { container, instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, forbidden, invalid } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { isEmail } from '../../kernel/text.ts'
import { findUser } from '../accounts/queries.ts'
import { ownerOf } from '../members/queries.ts'
import { todoTarget } from '../todos/target.ts'
import { eventsFrom, levelFrom, type SettingInput, settingInput } from './inputs.ts'
import {
  asksFor,
  emailEvents,
  type GlobalNotificationSetting,
  kindsAt,
  type NotificationSetting,
} from './notification-setting.ts'
import {
  addressesOf,
  everywhere,
  isTaken,
  keepSetting,
  type SettingPlace,
  type StoredSetting,
  settingAt,
} from './queries.ts'
import { addressFor, recipientsOf } from './recipients.ts'

/** Settings are everybody's own: the host has none, and nobody has those of others. */
const selfId = ({ actor }: Context): number => {
  if (actor.kind !== 'user') throw forbidden('Only people have notification settings')
  return actor.id
}

const kinds = (ctx: Context, { projectId, groupId }: SettingPlace) =>
  kindsAt(projectId !== null ? 'project' : groupId !== null ? 'group' : 'global', ctx.tier)

const shown = (ctx: Context, place: SettingPlace, { level, events }: StoredSetting): NotificationSetting => ({
  level,
  ...(level === 'custom' && {
    events: Object.fromEntries(kinds(ctx, place).map((kind) => [kind, asksFor(events, kind)])),
  }),
})

const shownGlobally = async (ctx: Context, userId: number): Promise<GlobalNotificationSetting> => {
  const stored = await settingAt(ctx, userId, everywhere)
  const notificationEmail = await addressFor(ctx, userId, stored.notificationEmail)
  const { level, ...events } = shown(ctx, everywhere, stored)
  return { level, notificationEmail, ...events }
}

/** What changes, and what stays. Nothing is stored for a call that names nothing. */
const change = async (ctx: Context, userId: number, place: SettingPlace, input: SettingInput, email?: string) => {
  const level = levelFrom(input.level)
  const events = eventsFrom(input, kinds(ctx, place))
  if (level === undefined && email === undefined && Object.keys(events).length === 0) return
  const stored = await settingAt(ctx, userId, place)
  await keepSetting(ctx, userId, place, {
    level: level ?? stored.level,
    notificationEmail: email ?? stored.notificationEmail,
    events: { ...stored.events, ...events },
  })
}

export const notificationSettings = {
  /** What the caller wants to be told, where no group or project says otherwise. */
  getGlobal: query({ on: instance, can: 'notification.own', run: (ctx) => shownGlobally(ctx, selfId(ctx)) }),

  /** Changes what the caller wants to be told in general, and the address: one of the caller's own. */
  updateGlobal: command({
    on: instance,
    can: 'notification.own',
    input: { ...settingInput, notificationEmail: v.optional(v.string()) },
    async run(ctx, { notificationEmail, ...input }) {
      const userId = selfId(ctx)
      levelFrom(input.level)
      const addresses = notificationEmail === undefined ? [] : await addressesOf(ctx, userId)
      const email = addresses.find((own) => own.toLowerCase() === notificationEmail?.toLowerCase())
      if (notificationEmail !== undefined && email === undefined) {
        throw invalid({ notificationEmail: ['is not an email you own'] })
      }
      await change(ctx, userId, everywhere, input, email)
      return shownGlobally(ctx, userId)
    },
  }),

  /** What the caller wants to be told of a project or a group. */
  get: query({
    on: container,
    can: 'notification.manage',
    async run(ctx, _input, subject) {
      const place = ownerOf(subject)
      return shown(ctx, place, await settingAt(ctx, selfId(ctx), place))
    },
  }),

  /** Changes what the caller wants to be told of a project or a group. */
  update: command({
    on: container,
    can: 'notification.manage',
    input: settingInput,
    async run(ctx, input, subject) {
      const place = ownerOf(subject)
      const userId = selfId(ctx)
      await change(ctx, userId, place, input)
      return shown(ctx, place, await settingAt(ctx, userId, place))
    },
  }),

  /** For the host application: who would be told of a fact about an issue, a merge request or an epic, by user id. */
  recipients: query({
    on: todoTarget,
    can: 'notification.tell',
    input: {
      event: v.picklist(emailEvents),
      /** Users whom its text mentions. */
      mentioned: v.optional(v.pipe(v.array(Reference), v.maxLength(1_000)), []),
      /** Whoever did it. */
      actor: v.optional(Reference),
    },
    async run(ctx, { event, mentioned, actor }, found) {
      const ids: number[] = []
      for (const ref of mentioned) ids.push((await findUser(ctx, ref)).id)
      const actorId = actor === undefined ? null : (await findUser(ctx, actor)).id
      return recipientsOf(ctx, { event, found, mentioned: ids, actorId })
    },
  }),

  /** For the host application: a further address of a user, confirmed by whatever means the host has. */
  addEmail: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference, email: v.string() },
    async run(ctx, { user, email }) {
      const { id: userId } = await findUser(ctx, user)
      if (!isEmail(email)) throw invalid({ email: ['is invalid'] })
      if (await isTaken(ctx, email)) throw conflict('Email has already been taken')
      await ctx.db.insertInto('emailAddress').values({ userId, email, createdAt: ctx.now }).execute()
      return { email, addresses: await addressesOf(ctx, userId) }
    },
  }),
}
