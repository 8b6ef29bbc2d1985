import type { Session } from '@forgelet/core'
import type { Options, OptionValues } from './option-types.ts'

interface OperationTexts<O extends Options> {
  readonly usage: string
  readonly description: string
  readonly options?: O
  /** Options without which the command fails. */
  readonly required?: readonly (string & keyof O)[]
  readonly examples: readonly string[]
}

/** A page of items, as list operations return it. */
export interface ItemPage<T> {
  readonly items: readonly T[]
  readonly hasNext: boolean
}

export interface Paging {
  readonly page: number
  readonly perPage: number
}

/** A command that prints the items of a list operation. */
export interface ListDefinition<O extends Options, T> extends OperationTexts<O> {
  readonly noun: string
  readonly columns: readonly (string & keyof T)[]
  readonly read: (
    session: Session,
    call: { readonly args: readonly string[]; readonly options: OptionValues<O>; readonly paging: Paging },
  ) => Promise<ItemPage<T>>
}

/** A command that runs an operation on one item and prints the result. */
export interface ItemDefinition<O extends Options, T> extends OperationTexts<O> {
  /** The option that the first argument can replace. */
  readonly positional?: string & keyof O
  /** Whether a missing data file is created. */
  readonly createsData?: boolean
  /** The result for `--json`; default: all of it. */
  readonly json?: (result: T) => unknown
  /** The columns of the printed table; a function prints a text instead. Omitted: nothing is printed. */
  readonly print?: readonly (string & keyof T)[] | ((result: T) => string)
  /** `retained` repeats the options that select the data, for suggested commands. */
  readonly run: (
    session: Session,
    call: { readonly args: readonly string[]; readonly options: OptionValues<O>; readonly retained: string },
  ) => Promise<T>
  /** The sentence on stderr. */
  readonly report?: (
    result: T,
    at: { readonly args: readonly string[]; readonly location: string; readonly retained: string },
  ) => string
}
