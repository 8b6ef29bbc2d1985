import * as v from 'valibot'
import type { Subjects } from '../contract/subjects.ts'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import { exactlyOne } from '../kernel/inputs.ts'
import type { EntriesInput, EntriesOutput, SubjectLoader } from '../kernel/operation.ts'
import type { MaybePromise } from '../kernel/store.ts'
import { defined } from '../shared/defined.ts'
import { loadPart } from './visible.ts'

type ParentKind = 'project' | 'group'

/** A subject inside a project or a group. */
export interface NestedSubject<K extends keyof Subjects, E extends v.ObjectEntries> extends SubjectLoader<K, E> {
  readonly parent: ParentKind
  /** The input field that identifies the subject inside its parent. */
  readonly field: string
}

/**
 * A subject inside a project or a group. The parent is loaded and must be visible before `load` runs, so that the error for
 * an invisible parent does not depend on its contents.
 *
 * @param load returns undefined for a missing subject
 */
export const within = <
  P extends ParentKind,
  PE extends v.ObjectEntries,
  K extends keyof Subjects,
  E extends v.ObjectEntries,
>(
  parent: SubjectLoader<P, PE>,
  kind: K,
  entries: E,
  load: (ctx: Context, parent: Subjects[P], reference: EntriesOutput<E>) => MaybePromise<Subjects[K] | undefined>,
): NestedSubject<K, PE & E> => ({
  kinds: [kind],
  entries: { ...parent.entries, ...entries },
  parent: defined(parent.kinds[0]),
  field: defined(Object.keys(entries)[0]),
  async load(ctx, reference) {
    const parentSubject = await loadPart(ctx, parent, reference as EntriesOutput<PE>)
    const subject = await load(ctx, parentSubject, reference as EntriesOutput<E>)
    if (!subject) throw notFound()
    return subject
  },
})

// biome-ignore lint/suspicious/noExplicitAny: subjects of any kind and input can be combined
type AnyNested = NestedSubject<any, any>
type KindOf<L> = L extends { readonly kinds: readonly (infer K extends keyof Subjects)[] } ? K : never
type InputOf<L> = L extends { readonly entries: infer E extends v.ObjectEntries } ? EntriesInput<E> : never
type Reference = Readonly<Record<string, unknown>>

/** One of several nested subjects: the reference identifies exactly one of them, together with its parent. */
export const oneOf = <L extends readonly [AnyNested, ...AnyNested[]]>(
  ...loaders: L
): SubjectLoader<KindOf<L[number]>, v.ObjectEntries, InputOf<L[number]>> => {
  const entries = Object.assign({}, ...loaders.map((loader) => loader.entries)) as v.ObjectEntries
  const select = (reference: Reference) => loaders.find(({ field }) => reference[field] !== undefined) ?? loaders[0]
  const parents = [...new Set(loaders.map(({ parent }) => parent))]
  return {
    kinds: loaders.flatMap(({ kinds }) => kinds),
    entries: Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.optional(schema as never)])),
    rules: [
      exactlyOne<Reference>(...loaders.map(({ field }) => field)),
      exactlyOne<Reference>(...parents),
      (reference) => {
        const { parent } = select(reference)
        return reference[parent] === undefined ? { fields: [parent], message: 'is missing' } : undefined
      },
    ],
    load: (ctx, reference) => select(reference).load(ctx, reference),
  }
}
