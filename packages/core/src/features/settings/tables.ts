export interface SettingTables {
  /** A setting that somebody has set; all others have their defaults. */
  applicationSetting: {
    name: string
    /** As JSON, whatever its type. */
    value: string
    updatedAt: string
  }
  /** A secret setting that somebody has set. Apart from the others, so that no reader of those can come by it. */
  applicationSecret: {
    name: string
    /** Encrypted under the key of the platform. */
    sealed: string
    updatedAt: string
  }
}
