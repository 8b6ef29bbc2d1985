/** One property of what a picker makes, from the source: read by its name or place there, or by a function. */
export interface Picked<S, X> {
  readonly key: string
  readonly from: string | number
  readonly read?: ((source: S, extra: X) => unknown) | undefined
}

/** What a picker makes of a source; functions that read are told something more. */
export type Picker<S, X = void> = (source: S, extra: X) => Record<string, unknown>

const looping =
  <S, X>(fields: readonly Picked<S, X>[]): Picker<S, X> =>
  (source, extra) => {
    const out: Record<string, unknown> = {}
    const values = source as Readonly<Record<string | number, unknown>>
    for (const { key, from, read } of fields) out[key] = read ? read(source, extra) : values[from]
    return out
  }

const generated = <S, X>(fields: readonly Picked<S, X>[]): Picker<S, X> => {
  const properties = fields.map(
    ({ key, from, read }, at) =>
      `${JSON.stringify(key)}: ${read ? `read[${at}](source, extra)` : `source[${JSON.stringify(from)}]`}`,
  )
  const make = new Function('read', `return (source, extra) => ({ ${properties.join(', ')} })`)
  return make(fields.map(({ read }) => read)) as Picker<S, X>
}

const made = <S, X>(fields: readonly Picked<S, X>[]): Picker<S, X> => {
  try {
    return generated(fields)
  } catch {
    return looping(fields)
  }
}

/**
 * Makes objects of always the same properties, as one object literal each: what the engine makes, reads and writes as JSON
 * fastest. The text of the function holds names only, as JSON. Hosts that forbid code generation get a loop.
 */
export const picker = <S, X = void>(fields: readonly Picked<S, X>[]): Picker<S, X> => {
  let pick: Picker<S, X> | undefined
  return (source, extra) => {
    // Made when it is first asked for: there are hundreds of operations, routes and shapes, and a start needs none of them.
    pick ??= made(fields)
    return pick(source, extra)
  }
}
