/** A property of the mapped object, read from the source by key or index, or with a function. */
export interface MappedField<S, X> {
  readonly key: string
  readonly from: string | number
  readonly read?: ((source: S, extra: X) => unknown) | undefined
}

/** Maps a source to an object; `extra` is passed to the `read` functions. */
export type Mapper<S, X = void> = (source: S, extra: X) => Record<string, unknown>

const createLoopMapper =
  <S, X>(fields: readonly MappedField<S, X>[]): Mapper<S, X> =>
  (source, extra) => {
    const out: Record<string, unknown> = {}
    const values = source as Readonly<Record<string | number, unknown>>
    for (const { key, from, read } of fields) out[key] = read ? read(source, extra) : values[from]
    return out
  }

const generateMapper = <S, X>(fields: readonly MappedField<S, X>[]): Mapper<S, X> => {
  const properties = fields.map(
    ({ key, from, read }, index) =>
      `${JSON.stringify(key)}: ${read ? `read[${index}](source, extra)` : `source[${JSON.stringify(from)}]`}`,
  )
  const create = new Function('read', `return (source, extra) => ({ ${properties.join(', ')} })`)
  return create(fields.map(({ read }) => read)) as Mapper<S, X>
}

const createMapper = <S, X>(fields: readonly MappedField<S, X>[]): Mapper<S, X> => {
  try {
    return generateMapper(fields)
  } catch {
    return createLoopMapper(fields)
  }
}

/**
 * Compiles a mapper that creates each object with one object literal, which engines create, read and serialize fastest. The
 * generated source contains only JSON-encoded names. Where code generation is forbidden, the mapper is a loop.
 */
export const compileMapper = <S, X = void>(fields: readonly MappedField<S, X>[]): Mapper<S, X> => {
  let map: Mapper<S, X> | undefined
  return (source, extra) => {
    // Compiled on first use: there are hundreds of mappers, and startup needs none of them.
    map ??= createMapper(fields)
    return map(source, extra)
  }
}
