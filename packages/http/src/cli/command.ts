import type { Session } from '@forgelet/core'
import type { Invocation } from './invocation.ts'
import type { Options, OptionValues } from './option-types.ts'
import { dataOptions, jsonOption, listOptions } from './options.ts'

/** A subcommand. Its options and texts are loaded at every start, its action only when it runs. */
export interface Command<O extends Options> {
  /** Its words and the names of its arguments: `token create`, `seed <file...>`. */
  readonly usage: string
  readonly description: string
  readonly options: O
  readonly examples: readonly string[]
  /** A hidden command is not listed in the help. */
  readonly hidden?: boolean
  /** Imports the action. */
  readonly load: () => Promise<(invocation: Invocation<O>) => Promise<void>>
}

// biome-ignore lint/suspicious/noExplicitAny: commands with any options
export type AnyCommand = Command<any>

export const command = <O extends Options>(definition: Command<O>): Command<O> => definition

type Row = Readonly<Record<string, unknown>>

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
  /** The result for `--json`; default: all of it. */
  readonly json?: (result: T) => unknown
  /** The columns of the printed table; a function prints a text instead. Absent: nothing is printed. */
  readonly print?: readonly (string & keyof T)[] | ((result: T) => string)
  readonly run: (
    session: Session,
    call: { readonly args: readonly string[]; readonly options: OptionValues<O> },
  ) => Promise<T>
  /** The sentence on stderr. `retained` repeats the options that select the data, for suggested commands. */
  readonly report?: (
    result: T,
    at: { readonly args: readonly string[]; readonly location: string; readonly retained: string },
  ) => string
}

/** Declares a command that reads a list, with `--limit`, `--json` and the options that select the data. */
export const listCommand = <T extends object, O extends Options = Record<never, never>>(
  definition: ListDefinition<O, T>,
): AnyCommand => ({
  ...definition,
  options: { ...definition.options, ...listOptions },
  load: async () => (await import('./run-operation.ts')).runList(definition as unknown as ListDefinition<Options, Row>),
})

/** Declares a command that calls one operation, with `--json` and the options that select the data. */
export const itemCommand = <T, O extends Options = Record<never, never>>(
  definition: ItemDefinition<O, T>,
): AnyCommand => ({
  ...definition,
  options: { ...definition.options, ...jsonOption, ...dataOptions },
  load: async () => (await import('./run-operation.ts')).runItem(definition as unknown as ItemDefinition<Options, Row>),
})
