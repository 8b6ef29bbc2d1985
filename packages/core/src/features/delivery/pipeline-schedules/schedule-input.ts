/** A value for an input that the pipeline file declares. */
export interface ScheduleInput {
  /** Name of the input. */
  name: string
  /** Value of the input: a string, a number, a boolean or an array. */
  value: string | number | boolean | unknown[]
}
