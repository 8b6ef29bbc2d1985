/** A condition under which a feature is on. */
export interface FeatureGate {
  /** `boolean`, `actors`, `percentage_of_actors`, `percentage_of_time` or `groups`. */
  key: string
  /** True or false, a percentage, or the names of actors or groups: `User:1`, `Project:2`. */
  value: boolean | number | readonly string[]
}

/** A feature flag of the instance. It is data for clients and has no effect on the platform. */
export interface InstanceFeature {
  /** Unique name. */
  name: string
  /** `on` for everyone, `off`, or `conditional`. */
  state: 'on' | 'off' | 'conditional'
  /** First the gate `boolean`, then the others that are open to some. */
  gates: readonly FeatureGate[]
}

/** The description of a feature that the platform ships with. There are none. */
export interface FeatureDefinition {
  /** Unique name. */
  name: string
}
