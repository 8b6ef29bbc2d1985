import * as v from 'valibot'
import type { Planting, Section } from './planting.ts'

// biome-ignore lint/suspicious/noExplicitAny: sections of any items and holders
type AnySection = Section<string, any, any>

type Nested<S extends readonly AnySection[]> = {
  [One in S[number] as One['name']]: v.OptionalSchema<v.ArraySchema<One['item'], undefined>, undefined>
}

/** The entries of a schema that holds sections: each an optional list. */
export const nested = <const S extends readonly AnySection[]>(sections: S): Nested<S> =>
  Object.fromEntries(sections.map(({ name, item }) => [name, v.optional(v.array(item))])) as Nested<S>

/** Plants the sections that are there, in their order. */
export async function plantAll(
  planting: Planting,
  sections: readonly AnySection[],
  given: object,
  on: unknown,
): Promise<void> {
  const lists = given as Readonly<Record<string, readonly unknown[] | undefined>>
  for (const { name, plant } of sections) {
    for (const item of lists[name] ?? []) {
      await plant(planting, item, on)
      planting.planted()
    }
  }
}
