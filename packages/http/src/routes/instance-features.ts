import { type FeatureDefinition, type FeatureGate, features, type InstanceFeature } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, list, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { instanceFeatures } = features

/** A condition under which a feature is on. */
const FeatureGateWire = wire<FeatureGate>('FeatureGate')({
  key: v.string(),
  /** True or false, a percentage, or names of actors or groups. */
  value: computed(v.union([v.boolean(), Integer, v.array(v.string())]), ({ value }: FeatureGate) =>
    typeof value === 'object' ? [...value] : value,
  ),
})

/** A feature flag of the instance. */
const InstanceFeatureWire = wire<InstanceFeature>('InstanceFeature')({
  name: v.string(),
  state: v.string(),
  gates: list(FeatureGateWire),
  /** Always null: the platform ships with no definitions. */
  definition: computed(v.null(), () => null),
})

/** The description of a feature that the platform ships with. */
const FeatureDefinitionWire = wire<FeatureDefinition>('FeatureDefinition')({
  name: v.string(),
})

const extension = { extension: true } as const

export const instanceFeatureRoutes = [
  route('GET /features', instanceFeatures.list, page(InstanceFeatureWire), extension),
  route('GET /features/definitions', instanceFeatures.listDefinitions, page(FeatureDefinitionWire), extension),
  route('POST /features/:name', instanceFeatures.set, one(InstanceFeatureWire), extension),
  route('DELETE /features/:name', instanceFeatures.remove, empty(), extension),
]
