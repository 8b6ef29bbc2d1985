/** A custom attribute; visible to administrators only. */
export interface CustomAttributeValue {
  /** Unique among the attributes of the resource. */
  key: string
  /** Text that administrators have set. */
  value: string
}
