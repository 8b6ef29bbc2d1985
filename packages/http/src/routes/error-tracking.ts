import {
  type ErrorEvent,
  type ErrorTracking,
  type ErrorTrackingClientKey,
  features,
  type StackFrame,
  type TrackedError,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText, Url } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, list, type Site, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { errorTracking } = features

/** Specification 2, "Error tracking settings". */
const ErrorTrackingWire = wire<ErrorTracking>('ErrorTrackingSettings')({
  active: v.boolean(),
  integrated: v.optional(v.boolean()),
  project_name: NullableText,
  tracker_external_url: NullableText,
  api_url: NullableText,
})

/** The DSN of Sentry's clients: they add `/api/:project_id/envelope/` to its path. */
const toDsn = ({ publicKey, projectId }: ErrorTrackingClientKey, { url }: Site) =>
  `${url.replace('://', `://${publicKey}@`)}/api/v4/error_tracking/collector/${projectId}`

/** A key of an application. */
const ClientKeyWire = wire<ErrorTrackingClientKey>('ErrorTrackingClientKey')({
  id: Integer,
  active: v.boolean(),
  public_key: v.string(),
  /** Address and key for the clients of Sentry. */
  sentry_dsn: computed(Url, toDsn),
})

/** A function call when an error occurred. */
const StackFrameWire = wire<StackFrame>('StackFrame')({
  file: NullableText,
  function: NullableText,
  line: NullableInteger,
})

/** The last occurrence of an error. */
const ErrorEventWire = wire<ErrorEvent>('ErrorEvent')({
  event_id: NullableText,
  level: v.string(),
  platform: NullableText,
  environment: NullableText,
  release: NullableText,
  stack: list(StackFrameWire),
})

/** An error of an application. */
const TrackedErrorWire = wire<TrackedError>('TrackedError')({
  id: Integer,
  name: v.string(),
  message: v.string(),
  culprit: v.string(),
  status: v.string(),
  events_count: Integer,
  first_seen_at: DateTime,
  last_seen_at: DateTime,
  last_event: ErrorEventWire,
})

/** What Sentry's clients receive. */
const CollectedWire = wire<{ readonly id: string | null }>('CollectedErrors')({
  /** Id that the client has given to the first event; null without one. */
  id: NullableText,
})

const extension = { extension: true } satisfies RouteOptions

/** Clients send their key in the query or in a header. */
const collectorOptions = {
  ...extension,
  names: { project_id: 'project', sentry_key: 'publicKey', sentry_auth: 'authorization' },
  headers: { sentry_auth: 'x-sentry-auth' },
  stream: 'content',
  creates: false,
} satisfies RouteOptions

const base = '/projects/:id/error_tracking'
const settings = `${base}/settings` as const
const keys = `${base}/client_keys` as const
const collector = '/error_tracking/collector/api/:project_id'

export const errorTrackingRoutes = [
  route(`GET ${settings}`, errorTracking.get, one(ErrorTrackingWire)),
  route(`PATCH ${settings}`, errorTracking.update, one(ErrorTrackingWire)),
  route(`PUT ${settings}`, errorTracking.set, one(ErrorTrackingWire), extension),
  route(`GET ${keys}`, errorTracking.listClientKeys, page(ClientKeyWire), extension),
  route(`POST ${keys}`, errorTracking.createClientKey, one(ClientKeyWire), { ...extension, hidden: ['publicKey'] }),
  route(`DELETE ${keys}/:key_id`, errorTracking.removeClientKey, empty(), {
    ...extension,
    names: { key_id: 'clientKey' },
  }),
  route(`GET ${base}/errors`, errorTracking.listErrors, page(TrackedErrorWire), extension),
  route(`PUT ${base}/errors/:error_id`, errorTracking.updateError, one(TrackedErrorWire), {
    ...extension,
    names: { error_id: 'error' },
  }),
  ...(['envelope', 'store'] as const).map((format) =>
    route(`POST ${collector}/${format}`, errorTracking.collect, one(CollectedWire), {
      ...collectorOptions,
      fixedInput: { format },
    }),
  ),
]
