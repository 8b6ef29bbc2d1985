import type { Command } from 'commander'

/** Where the value of an option is from; undefined for an omitted option without a default. */
export type OptionSource = 'cli' | 'env' | 'config' | 'default' | undefined

const precedence: Readonly<Record<string, number>> = { cli: 3, env: 2, config: 1 }

const precedenceOf = (command: Command, name: string) => precedence[command.getOptionValueSource(name) ?? ''] ?? 0

/** Options that replace each other: `--data` on the command line hides a database URL in the environment. */
const rivals: Readonly<Record<string, string>> = { database: 'data', demo: 'seed', seed: 'demo' }

/** Whether the option, or one that it would contradict, has a value with more precedence than `source`. */
export const isOverridden = (command: Command, name: string, source: 'env' | 'config'): boolean =>
  [name, rivals[name] ?? name].some((other) => precedenceOf(command, other) > (precedence[source] ?? 0))
