import type { Command } from 'commander'
import type { OptionSource } from './option-source.ts'
import type { Options, OptionValues } from './option-types.ts'

/** The parsed command line, as an action receives it. */
export interface Invocation<O extends Options> {
  readonly args: readonly string[]
  readonly options: OptionValues<O>
  /** The whole program, with all commands. */
  readonly program: Command
  readonly sourceOf: (name: keyof O & string) => OptionSource
}
