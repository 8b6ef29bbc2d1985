import type { Node, YAMLMap } from 'yaml'

type Library = typeof import('yaml')

/** What the library passes to the conversion of a key. */
type ToJSContext = NonNullable<Parameters<NonNullable<Node['addToJSMap']>>[0]>

type Target = Map<unknown, unknown> | Set<unknown> | object

const assign = (target: Target, key: unknown, value: unknown) => {
  if (target instanceof Map) target.set(key, value)
  else if (target instanceof Set) target.add(key)
  else Object.defineProperty(target, String(key), { value, enumerable: true, configurable: true, writable: true })
}

/**
 * The merge key `<<` as GitLab's parser applies it: in the order of the mapping. Its entries replace those before it, also those of an
 * earlier merge key, and later ones replace them. Of a list, the first mapping wins. The YAML library follows the specification, in
 * which a merge key never replaces an entry.
 */
export const createMergeTag = ({ Scalar, isAlias, isMap, isSeq }: Library) => {
  const resolve = (context: ToJSContext | undefined, value: unknown) =>
    context && isAlias(value) ? value.resolve(context.doc, context) : value

  const readMap = (context: ToJSContext | undefined, map: YAMLMap): ReadonlyMap<unknown, unknown> =>
    map.toJSON(null, context, Map)

  const merge = (context: ToJSContext | undefined, target: Target, value: unknown) => {
    const source = resolve(context, value)
    const sources = isSeq(source) ? source.items.map((item) => resolve(context, item)).toReversed() : [source]
    for (const map of sources) {
      if (isMap(map)) for (const [key, entry] of readMap(context, map)) assign(target, key, entry)
      else assign(target, '<<', isAlias(map) ? null : map)
    }
  }

  return {
    tag: 'tag:yaml.org,2002:merge',
    default: 'key' as const,
    identify: (value: unknown) => value === '<<',
    test: /^<<$/,
    resolve: () => Object.assign(new Scalar('<<'), { addToJSMap: merge }),
  }
}
