/** A recurring time in which a project should not be deployed. Pipelines then have the variable `CI_DEPLOY_FREEZE`. */
export interface FreezePeriod {
  /** Unique on the instance. */
  id: number
  /** When it begins: minute, hour, day of the month, month and day of the week, such as `0 23 * * 5`. */
  freezeStart: string
  /** When it ends, in the form of `freezeStart`. */
  freezeEnd: string
  /** Time zone of both, an IANA name such as `Europe/Berlin`. */
  cronTimezone: string
  /** Time of the creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
}
