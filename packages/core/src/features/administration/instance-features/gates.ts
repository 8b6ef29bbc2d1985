import type { FeatureGate, InstanceFeature } from './instance-feature.ts'

/** The stored state of a feature. */
export interface FeatureState {
  readonly enabled: boolean
  readonly percentageOfActors: number | null
  readonly percentageOfTime: number | null
  readonly actors: readonly string[]
  readonly featureGroups: readonly string[]
}

export const offState: FeatureState = {
  enabled: false,
  percentageOfActors: null,
  percentageOfTime: null,
  actors: [],
  featureGroups: [],
}

const all = 100

const toGates = (state: FeatureState): FeatureGate[] => {
  const { actors, percentageOfActors, percentageOfTime, featureGroups } = state
  return [
    { key: 'boolean', value: state.enabled },
    ...(actors.length ? [{ key: 'actors', value: actors }] : []),
    ...(percentageOfActors === null ? [] : [{ key: 'percentage_of_actors', value: percentageOfActors }]),
    ...(percentageOfTime === null ? [] : [{ key: 'percentage_of_time', value: percentageOfTime }]),
    ...(featureGroups.length ? [{ key: 'groups', value: featureGroups }] : []),
  ]
}

const toOpening = ({ enabled, percentageOfTime, ...state }: FeatureState): InstanceFeature['state'] => {
  if (enabled || percentageOfTime === all) return 'on'
  const isPartlyOpen =
    state.actors.length > 0 || state.featureGroups.length > 0 || state.percentageOfActors || percentageOfTime
  return isPartlyOpen ? 'conditional' : 'off'
}

export const toFeature = ({ name, ...state }: FeatureState & { readonly name: string }): InstanceFeature => ({
  name,
  state: toOpening(state),
  gates: toGates(state),
})

interface Targets {
  readonly actors: readonly string[]
  readonly featureGroups: readonly string[]
}

const add = (list: readonly string[], items: readonly string[]) => [...new Set([...list, ...items])]
const remove = (list: readonly string[], items: readonly string[]) => list.filter((item) => !items.includes(item))

/** Opens or closes a feature: for the targets if there are any, otherwise for everyone, which ends all other conditions. */
export const switchState = (state: FeatureState, isOn: boolean, targets: Targets): FeatureState => {
  if (!targets.actors.length && !targets.featureGroups.length) return { ...offState, enabled: isOn }
  const change = isOn ? add : remove
  return {
    ...state,
    actors: change(state.actors, targets.actors),
    featureGroups: change(state.featureGroups, targets.featureGroups),
  }
}
