export interface SettingTables {
  /** A setting that was changed; all others have their defaults. */
  applicationSetting: {
    name: string
    /** JSON. */
    value: string
    updatedAt: string
  }
  /** A secret setting. Stored in a separate table, so that queries of the other settings cannot return it. */
  applicationSecret: {
    name: string
    /** Encrypted with the platform's secret key. */
    sealed: string
    updatedAt: string
  }
}
