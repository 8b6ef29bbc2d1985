export interface InstanceTables {
  /** Private keys of the instance. */
  instanceKey: {
    /** What the key is for: `provider` (OAuth), `registry`. */
    name: string
    /** JSON, sealed in the context `instance_key.<name>`. */
    sealed: string
    createdAt: string
  }
}
