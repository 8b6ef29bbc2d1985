import { ResetLink } from '../features/accounts/passwords/reset-link.ts'
import { findUserIdByEmail } from '../features/accounts/users/email-addresses.ts'
import { findUserIfKnown } from '../features/accounts/users/queries.ts'
import { openLink } from '../features/administration/mail/sealed-link.ts'
import { isSecretSetting, settingNames } from '../features/administration/settings/definition.ts'
import { changed, toWords, userEvents } from './changes.ts'
import { together } from './entries.ts'
import { type AuditEntry, auditEvent, entityOf, entityTarget, isAccount, theInstance, userEntity } from './entry.ts'
import { readSettings, readUser } from './reads.ts'

const ofUser = (event: string, user: unknown, customMessage: string) => {
  if (!isAccount(user)) return []
  const entity = userEntity(user)
  return [auditEvent(event, entity, entityTarget(entity), { customMessage })]
}

export const userUpdated: AuditEntry = together(
  changed({
    read: readUser,
    events: userEvents,
    changesAll: true,
    findEntity: (before) => (isAccount(before) ? userEntity(before) : undefined),
  }),
  {
    describe({ before, fields: { password, resetPassword, forceRandomPassword } }) {
      const isChanged = password !== undefined || resetPassword || forceRandomPassword
      return isChanged ? ofUser('user_password_updated', before, 'Changed password') : []
    },
  },
)

/** The user of the link with which a password is reset. */
export const passwordReset: AuditEntry = {
  isImmediate: true,
  read({ ctx, fields }) {
    if (typeof fields.key !== 'string') return undefined
    const [userId] = openLink(ctx, 'resetPassword', ResetLink, fields.key)
    return findUserIfKnown(ctx, userId)
  },
  describe: ({ before }) => ofUser('user_password_updated', before, 'Reset password'),
}

export const passwordResetRequested: AuditEntry = {
  async read({ ctx, fields }) {
    const userId = typeof fields.email === 'string' ? await findUserIdByEmail(ctx, fields.email.trim()) : undefined
    return userId === undefined ? undefined : findUserIfKnown(ctx, userId)
  },
  describe: ({ before }) => ofUser('password_reset_requested', before, 'Requested password reset'),
}

const eventName = 'application_setting_updated'

const visibleSettings = settingNames.filter((name) => name !== 'createdAt' && name !== 'updatedAt')

/** Changes of settings. Of secrets, only that they were set. */
export const settingsUpdated: AuditEntry = together(
  changed({
    read: readSettings,
    events: Object.fromEntries(visibleSettings.map((name) => [name, eventName])),
    changesAll: true,
  }),
  {
    describe: (call) =>
      visibleSettings
        .filter((name) => isSecretSetting(name) && call.fields[name] !== undefined)
        .map((name) => auditEvent(eventName, entityOf(call), entityTarget(theInstance), { change: toWords(name) })),
  },
)
