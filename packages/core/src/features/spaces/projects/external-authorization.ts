import { LRUCache } from 'lru-cache'
import type { UserActor } from '../../../kernel/actor.ts'
import type { Context, ProjectContent } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { chain, type MaybePromise } from '../../../kernel/store.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import { sendOutbound } from '../../administration/settings/outbound-request.ts'
import { getOutboundRules } from '../../administration/settings/outbound-rules.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { readSecretSetting } from '../../administration/settings/secret-values.ts'
import { readProjectSettings } from './stored-settings.ts'

/** An answer of the authorization service. */
interface Decision {
  readonly isAllowed: boolean
  /** The text that the service gives to a denied user. */
  readonly reason?: string
  /** When it was made, in milliseconds since 1970; undefined for one that must not be used again. */
  readonly madeAt?: number
}

const sixHours = 6 * 60 * 60 * 1_000

/** Decisions by settings, user and label; a change of the settings starts anew. */
const createCache = () => ({
  decisions: new LRUCache<string, Decision>({ max: 10_000 }),
  pending: new Map<string, Promise<Decision>>(),
})

const caches = new WeakMap<Ports, ReturnType<typeof createCache>>()

const getCache = (ports: Ports) => {
  const cache = caches.get(ports) ?? createCache()
  caches.set(ports, cache)
  return cache
}

/** The longest part of a response that is read, in bytes. */
const maximumResponseBytes = 16_384

const readReason = (body: string): string | undefined => {
  try {
    const { reason } = JSON.parse(body) as { readonly reason?: unknown }
    return typeof reason === 'string' && reason !== '' ? reason.slice(0, 255) : undefined
  } catch {
    return undefined
  }
}

const toDecision = ({ status, body }: { readonly status: number; readonly body: string }, now: string): Decision => {
  const madeAt = Date.parse(now)
  if (status === 200) return { isAllowed: true, madeAt }
  const reason = readReason(body)
  const isFinal = status === 401 || status === 403
  return { isAllowed: false, ...(reason !== undefined && { reason }), ...(isFinal && { madeAt }) }
}

/** The documented body of a request. */
const readRequestBody = async ({ db }: Context, { id, username }: UserActor, label: string) => {
  const user = db.selectFrom('user').where('id', '=', id).select('email')
  const email = (await user.executeTakeFirst())?.email
  const linked = db.selectFrom('userIdentity').where('userId', '=', id).orderBy('provider')
  const identities = await linked.select(['provider', 'externalUid']).execute()
  const directory = identities.find(({ provider }) => provider.startsWith('ldap'))
  return {
    user_identifier: email ?? username,
    project_classification_label: label,
    ...(directory && { user_ldap_dn: directory.externalUid }),
    identities: identities.map(({ provider, externalUid }) => ({ provider, extern_uid: externalUid })),
  }
}

const readClientCertificate = async (ctx: Context, { externalAuthClientCert: certificate }: Settings) => {
  const key = certificate && (await readSecretSetting(ctx, 'externalAuthClientKey'))
  if (!certificate || !key) return {}
  const passphrase = await readSecretSetting(ctx, 'externalAuthClientKeyPass')
  return { clientCertificate: { certificate, key, ...(passphrase !== null && { passphrase }) } }
}

/** A question to the service, for after the transaction. It never fails: no valid response is a denial. */
const prepareQuestion = async (ctx: Context, settings: Settings, body: object) => {
  const { ports, now } = ctx
  const rules = await getOutboundRules(ctx, 'administrators')
  const url = new URL(settings.externalAuthorizationServiceUrl ?? '')
  const user = decodeURIComponent(url.username)
  const credentials = Buffer.from(`${user}:${decodeURIComponent(url.password)}`).toString('base64')
  const request = {
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': 'Forgelet',
      ...(user !== '' && { Authorization: `Basic ${credentials}` }),
    },
    body: JSON.stringify(body),
    verifiesCertificate: true,
    timeout: settings.externalAuthorizationServiceTimeout * 1_000,
    maximumResponseBytes,
    ...(await readClientCertificate(ctx, settings)),
  }
  url.username = ''
  url.password = ''
  return async (): Promise<Decision> => {
    const signal = AbortSignal.timeout(request.timeout)
    try {
      return toDecision(await sendOutbound(ports, rules, { ...request, url: url.href, signal }), now)
    } catch {
      return { isAllowed: false, reason: 'External Policy Server did not respond' }
    }
  }
}

const decide = async (ctx: Context, actor: UserActor, settings: Settings, label: string): Promise<Decision> => {
  const { decisions, pending } = getCache(ctx.ports)
  const key = JSON.stringify([settings.updatedAt, settings.externalAuthorizationServiceUrl, actor.id, label])
  const known = decisions.get(key)
  if (known?.madeAt !== undefined && Math.abs(Date.parse(ctx.now) - known.madeAt) < sixHours) return known
  const ask = await prepareQuestion(ctx, settings, await readRequestBody(ctx, actor, label))
  return ctx.ask(`external authorization ${key}`, async () => {
    const running = pending.get(key) ?? ask().finally(() => pending.delete(key))
    pending.set(key, running)
    const decision = await running
    if (decision.madeAt !== undefined) decisions.set(key, decision)
    return decision
  })
}

/** Abilities on the instance, on groups and on users that show what several projects contain. */
const crossProject = new Set([
  ...['board.read', 'event.list', 'issue.count', 'issue.list', 'label.read', 'mergeRequest.list', 'milestone.read'],
  ...['notification.list', 'package.read', 'registry.read', 'search.run', 'snippet.list', 'todo.manageOwn'],
])

const denial = 'The external authorization service denied access'

const refuse = (message: string) => forbidden(message, 'external_authorization')

/** Asks the service of these settings. */
const check = async (ctx: Context, settings: Settings, { project }: ProjectContent, ability?: string) => {
  const { actor } = ctx
  if (!project) {
    if (ability === undefined || !crossProject.has(ability)) return
    throw refuse('Content of several projects is not available while an external service authorizes access')
  }
  if (actor.kind === 'anonymous') throw notFound('Project')
  if (actor.kind !== 'user') throw refuse(denial)
  const { externalAuthorizationClassificationLabel: own } = await readProjectSettings(ctx, project.id)
  const label = own || settings.externalAuthorizationServiceDefaultLabel || ''
  const { isAllowed, reason = denial } = await decide(ctx, actor, settings, label)
  if (!isAllowed) throw refuse(reason)
}

/**
 * Asks the external authorization service, if it is enabled, whether a caller may access the project of a subject, which the policy has
 * permitted. Also administrators are asked for, and everybody except users is denied.
 *
 * @throws PlatformError `forbidden` with the reason of the service; `not_found` for anonymous callers
 */
export const assertExternallyAuthorized = (
  ctx: Context,
  subject: ProjectContent,
  ability?: string,
): MaybePromise<void> =>
  chain(getSettings(ctx), (settings) => {
    if (!settings.externalAuthorizationServiceEnabled || !settings.externalAuthorizationServiceUrl) return undefined
    return ['system', 'service', 'scim'].includes(ctx.actor.kind) ? undefined : check(ctx, settings, subject, ability)
  })
