import {
  type ClientFeature,
  type ClientFeatures,
  type ClientStrategy,
  type FeatureFlag,
  type FeatureFlagScope,
  type FeatureFlagStrategy,
  type FeatureFlagUserList,
  features,
  type StrategyUserList,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { confirmed, empty, one, page } from '../reply/responders.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { featureFlags, featureFlagUserLists } = features

const ScopeWire = wire<FeatureFlagScope>('FeatureFlagScope')({ id: Integer, environment_scope: v.string() })

/** The list of users of a strategy. */
const StrategyUserListWire = wire<StrategyUserList>('FeatureFlagStrategyUserList')({
  id: Integer,
  iid: Integer,
  name: v.string(),
  user_xids: v.string(),
})

const Parameters = v.record(v.string(), v.string())

const StrategyWire = wire<FeatureFlagStrategy>('FeatureFlagStrategy')({
  id: Integer,
  name: v.string(),
  parameters: Parameters,
  scopes: list(ScopeWire),
  user_list: nullable(StrategyUserListWire),
})

const FeatureFlagWire = wire<FeatureFlag>('FeatureFlag')({
  name: v.string(),
  description: NullableText,
  active: v.boolean(),
  /** Always `new_version_flag`: strategies have scopes. */
  version: computed(v.literal('new_version_flag'), () => 'new_version_flag' as const),
  created_at: DateTime,
  updated_at: DateTime,
  /** Always empty: these are the scopes of flags in the older notation. */
  scopes: computed(list(ScopeWire), () => []),
  strategies: list(StrategyWire),
})

const UserListWire = wire<FeatureFlagUserList>('FeatureFlagUserList')({
  id: Integer,
  iid: Integer,
  project_id: Integer,
  name: v.string(),
  user_xids: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
})

const ClientStrategyWire = wire<ClientStrategy>('UnleashStrategy')({ name: v.string(), parameters: Parameters })

const ClientFeatureWire = wire<ClientFeature>('UnleashFeature')({
  name: v.string(),
  description: v.string(),
  enabled: v.boolean(),
  strategies: list(ClientStrategyWire),
})

const ClientFeaturesWire = wire<ClientFeatures>('UnleashFeatures')({
  version: v.literal(1),
  features: list(ClientFeatureWire),
})

const extension = { extension: true } satisfies RouteOptions
const flagOptions = { ...extension, names: { feature_flag_name: 'featureFlag' } } satisfies RouteOptions
const listOptions = { ...extension, names: { iid: 'userList' } } satisfies RouteOptions

/** Unleash clients send their parameters in headers. */
const clientOptions = {
  ...extension,
  names: { project_id: 'project', instance_id: 'token' },
  headers: { instance_id: 'unleash-instanceid', app_name: 'unleash-appname' },
  creates: false,
} satisfies RouteOptions

const flags = '/projects/:id/feature_flags'
const flag = `${flags}/:feature_flag_name` as const
const userLists = '/projects/:id/feature_flags_user_lists'
const unleash = '/feature_flags/unleash/:project_id'

export const featureFlagRoutes = [
  route(`GET ${flags}`, featureFlags.list, page(FeatureFlagWire), extension),
  route(`POST ${flags}`, featureFlags.create, one(FeatureFlagWire), extension),
  route(`GET ${flag}`, featureFlags.get, one(FeatureFlagWire), flagOptions),
  route(`PUT ${flag}`, featureFlags.update, one(FeatureFlagWire), flagOptions),
  route(`DELETE ${flag}`, featureFlags.remove, empty(), flagOptions),
  route(`GET ${userLists}`, featureFlagUserLists.list, page(UserListWire), extension),
  route(`POST ${userLists}`, featureFlagUserLists.create, one(UserListWire), extension),
  route(`GET ${userLists}/:iid`, featureFlagUserLists.get, one(UserListWire), listOptions),
  route(`PUT ${userLists}/:iid`, featureFlagUserLists.update, one(UserListWire), listOptions),
  route(`DELETE ${userLists}/:iid`, featureFlagUserLists.remove, empty(), listOptions),
  ...(['features', 'client/features'] as const).map((path) =>
    route(`GET ${unleash}/${path}`, featureFlags.getClientFeatures, one(ClientFeaturesWire), clientOptions),
  ),
  ...(['client/register', 'client/metrics'] as const).map((path) =>
    route(`POST ${unleash}/${path}`, featureFlags.checkClient, confirmed(200, 'OK'), clientOptions),
  ),
]
