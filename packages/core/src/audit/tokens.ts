import { type AuditEntry, auditEvent, isAccount, readField, toTarget, userEntity } from './entry.ts'
import { readTokenOwner } from './reads.ts'

const describe =
  (rotates: boolean): AuditEntry['describe'] =>
  ({ before, result }) => {
    const account = readField(before, 'account')
    if (!isAccount(account)) return []
    const entity = userEntity(account)
    const event = (name: string, token: unknown, customMessage: string) =>
      auditEvent(name, entity, toTarget('PersonalAccessToken', token, 'name'), { customMessage })
    const revoked = event('personal_access_token_revoked', readField(before, 'token'), 'Revoked personal access token')
    if (!rotates) return [revoked]
    return [revoked, event('personal_access_token_created', result, 'Created personal access token by rotation')]
  }

export const tokenRevoked: AuditEntry = { read: readTokenOwner, describe: describe(false) }

export const tokenRotated: AuditEntry = { read: readTokenOwner, describe: describe(true) }
