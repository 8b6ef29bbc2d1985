import type { Ports } from '../../../ports/ports.ts'
import { sendOutbound } from '../../administration/settings/outbound-request.ts'
import type { OutboundRules } from '../../administration/settings/outbound-rules.ts'
import { renderBody } from './body-template.ts'
import type { DeliveryResult, HookPayload } from './delivery.ts'
import { type EventKind, eventKinds } from './event-kinds.ts'
import type { HookSecrets } from './hook.ts'
import { type HookRow, readSecrets } from './queries.ts'
import { toTargetUrl } from './url-template.ts'

/** One request to a hook. */
interface HookRequest {
  readonly kind: EventKind
  readonly chain: string
  readonly idempotencyKey: string
  readonly payload: HookPayload
}

/** Milliseconds from the start of a request to the end of its response. */
const timeout = 10_000

/** The part of a response that is read and stored. */
const maximumResponseBytes = 8_192

const redacted = '[REDACTED]'

const publicHeaders = (hook: HookRow, { kind, chain, idempotencyKey }: HookRequest): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'Forgelet',
  'X-Gitlab-Event': hook.projectId === null && hook.groupId === null ? 'System Hook' : eventKinds[kind].header,
  'X-Gitlab-Webhook-UUID': hook.uuid,
  'X-Gitlab-Event-UUID': chain,
  'Idempotency-Key': idempotencyKey,
  ...(hook.siteUrl !== null && { 'X-Gitlab-Instance': hook.siteUrl }),
})

const secretHeaders = ({ token, user, password, headers }: HookSecrets): Record<string, string> => ({
  ...headers,
  ...(token !== null && { 'X-Gitlab-Token': token }),
  ...((user !== null || password !== null) && {
    Authorization: `Basic ${Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')}`,
  }),
})

/** The reason for a missing response. Messages of the network contain addresses and names, but no secrets. */
const toReason = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 1_000)

/** Postgres cannot store the zero character. */
const withoutZeros = (text: string) => text.replaceAll('\0', '\uFFFD')

/** Sends one request, outside transactions. Rejects only if the platform shuts down. */
export const sendToHook = async (
  ports: Ports,
  rules: OutboundRules,
  hook: HookRow,
  request: HookRequest,
  signal: AbortSignal,
): Promise<DeliveryResult> => {
  const startedAt = performance.now()
  const visible = publicHeaders(hook, request)
  let requestHeaders: Record<string, string> = visible
  const fail = (reason: string): DeliveryResult => ({
    requestHeaders,
    status: null,
    responseHeaders: {},
    responseBody: reason,
    duration: toSeconds(startedAt),
  })
  try {
    const secrets = readSecrets({ ports }, hook)
    const { url, user, password } = toTargetUrl(hook.url, secrets)
    const secret = secretHeaders({ ...secrets, user, password })
    requestHeaders = { ...visible, ...Object.fromEntries(Object.keys(secret).map((name) => [name, redacted])) }
    const { status, headers, body } = await sendOutbound(ports, rules, {
      url,
      headers: { ...visible, ...secret },
      body: renderBody(hook.customWebhookTemplate, request.payload),
      verifiesCertificate: hook.enableSslVerification,
      timeout,
      maximumResponseBytes,
      signal,
    })
    const responseBody = withoutZeros(body)
    return { requestHeaders, status, responseHeaders: headers, responseBody, duration: toSeconds(startedAt) }
  } catch (error) {
    signal.throwIfAborted()
    return fail(toReason(error))
  }
}

const toSeconds = (startedAt: number) => Math.round((performance.now() - startedAt) * 1_000) / 1_000_000

/** `accepted`; `rejected` by the receiver, which a repetition would not change; `failed`, to be repeated. */
export const toOutcome = ({ status }: DeliveryResult): 'accepted' | 'rejected' | 'failed' => {
  if (status === null || status >= 500 || status === 429 || status === 408) return 'failed'
  return status >= 200 && status < 300 ? 'accepted' : 'rejected'
}
