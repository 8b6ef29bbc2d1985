/**
 * A value that is always present here, for reasons that types do not express: an element at a checked position, or the entry of a
 * map that was filled with all keys.
 *
 * @throws TypeError if it is omitted, which is a bug
 */
export const defined = <T>(value: T): NonNullable<T> => {
  if (value === undefined || value === null) throw new TypeError('A value that must be present is absent')
  return value
}
