import type { Invocation } from './invocation.ts'
import type { ItemDefinition, ListDefinition } from './operation-definition.ts'
import type { Options } from './option-types.ts'
import { dataOptions, jsonOption, listOptions } from './options.ts'

/** A subcommand. Its options and texts are loaded at every start, its action only when it runs. */
export interface Command<O extends Options> {
  /** Its words and the names of its arguments: `token create`, `seed <file...>`. */
  readonly usage: string
  readonly description: string
  readonly options: O
  readonly examples: readonly string[]
  /** Whether environment variables set omitted options. Default: true. */
  readonly readsEnvironment?: boolean
  /** Imports the action. */
  readonly load: () => Promise<(invocation: Invocation<O>) => Promise<void>>
}

// biome-ignore lint/suspicious/noExplicitAny: commands with any options
export type AnyCommand = Command<any>

export const command = <O extends Options>(definition: Command<O>): Command<O> => definition

type Row = Readonly<Record<string, unknown>>

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
