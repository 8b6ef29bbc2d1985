import { isPlatformError, type Session } from '@forgelet/core'
import type { Application } from '@forgelet/core/operations'
import type { errors as ProviderErrors } from 'oidc-provider'

type Payload = Readonly<Record<string, unknown>>

/** What `oidc-provider` requires of a storage, for one of its models. */
interface Adapter {
  upsert(id: string, payload: Payload, expiresIn: number): Promise<void>
  find(id: string): Promise<Payload | undefined>
  findByUid(uid: string): Promise<Payload | undefined>
  findByUserCode(userCode: string): Promise<Payload | undefined>
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  revokeByGrantId(grantId: string): Promise<void>
}

const readText = (payload: Payload, name: string): string | undefined => {
  const value = payload[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const createRecordAdapter = (host: Session, model: string, errors: typeof ProviderErrors): Adapter => {
  const { oauthProvider } = host
  const find = async (key: 'id' | 'uid' | 'userCode', value: string) => {
    const record = await oauthProvider.find({ model, key, value })
    if (!record) return undefined
    const { payload, consumedAt } = record
    return consumedAt === null ? payload : { ...payload, consumed: Math.floor(Date.parse(consumedAt) / 1_000) }
  }
  return {
    async upsert(id, payload, expiresIn) {
      const accountId = readText(payload, 'accountId')
      await oauthProvider.store({
        model,
        id,
        payload,
        expiresIn,
        userId: accountId === undefined ? undefined : Number(accountId),
        applicationId: readText(payload, 'clientId'),
        grant: readText(payload, 'grantId'),
        uid: readText(payload, 'uid'),
        userCode: readText(payload, 'userCode'),
        scope: model === 'AccessToken' ? (readText(payload, 'scope') ?? '') : undefined,
      })
    },
    find: (id) => find('id', id),
    findByUid: (uid) => find('uid', uid),
    findByUserCode: (userCode) => find('userCode', userCode),
    async consume(id) {
      if (!(await oauthProvider.consume({ model, id }))) throw new errors.InvalidGrant('was used before')
    },
    destroy: (id) => oauthProvider.remove({ model, id }),
    revokeByGrantId: (grant) => oauthProvider.removeGrant({ grant }),
  }
}

const toClientMetadata = (application: Application): Payload => {
  const { applicationId, name, redirectUris, confidential } = application
  return {
    client_id: applicationId,
    client_name: name,
    // The provider requires a secret. Ours is compared by its digest, in `compareClientSecret`.
    ...(confidential && { client_secret: applicationId }),
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: redirectUris,
    application_type: redirectUris.every((uri) => /^https?:/i.test(uri)) ? 'web' : 'native',
    scope: application.scopes.join(' '),
  }
}

const rejectChange = () => Promise.reject(new Error('Applications are changed by their operations'))

const createClientAdapter = ({ oauthProvider }: Session): Adapter => ({
  async find(applicationId) {
    try {
      const application = await oauthProvider.findApplication({ applicationId })
      return application && toClientMetadata(application)
    } catch (error) {
      // An id that the database cannot store, such as one with a null character.
      if (isPlatformError(error) && error.code === 'invalid_input') return undefined
      throw error
    }
  },
  findByUid: rejectChange,
  findByUserCode: rejectChange,
  upsert: rejectChange,
  consume: rejectChange,
  destroy: rejectChange,
  revokeByGrantId: rejectChange,
})

/** Stores the state of the provider in the platform. */
export const createAdapter = (host: Session, errors: typeof ProviderErrors) => (model: string) =>
  model === 'Client' ? createClientAdapter(host) : createRecordAdapter(host, model, errors)
