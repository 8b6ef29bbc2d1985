import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import { openPlatform } from './open-platform.ts'
import type { ItemDefinition, ListDefinition, Paging } from './operation-definition.ts'
import type { Options } from './option-types.ts'
import type { DataOptions, dataOptions, listOptions } from './options.ts'
import { toCliError } from './platform-errors.ts'
import { retainedOptions } from './retained-options.ts'
import { formatCell, printJson, table } from './table.ts'

type Row = Readonly<Record<string, unknown>>

type ItemOptions = typeof dataOptions & { readonly json: Options[string] }

const actor = { system: 'command line' }

/** The largest page of a list operation. */
const maxPageSize = 100

const withSession = async <T>(
  data: DataOptions,
  existing: boolean,
  work: (session: Parameters<ItemDefinition<Options, Row>['run']>[0], location: string) => Promise<T>,
): Promise<T> => {
  const { platform, location } = await openPlatform(data, {}, { existing })
  try {
    return await work(platform.as(actor), location)
  } catch (error) {
    throw toCliError(error)
  } finally {
    await platform.close()
  }
}

/** The option is written as on the command line: `expiresAt` is `--expires-at`. */
const assertRequired = (options: Options, values: Row, required: readonly string[]) => {
  const missing = required.find((name) => values[name] === undefined)
  if (missing !== undefined) throw new UsageError(`${options[missing]?.long} is missing`)
}

/** Adds the first argument as the value of its option. */
const readPositional = (
  { args: [argument], options, sourceOf }: Invocation<ItemOptions>,
  name: string,
): Invocation<ItemOptions>['options'] => {
  if (argument === undefined) return options
  if (sourceOf(name as keyof ItemOptions) === 'cli')
    throw new UsageError(`Use either the argument ${argument} or --${name}`)
  return { ...options, [name]: argument }
}

/** Reads pages until the limit. Prints JSON or a table, and on stderr whether there are more items. */
export const runList =
  ({ read, columns, noun, options: declared = {}, required = [] }: ListDefinition<Options, Row>) =>
  async ({ args, options }: Invocation<typeof listOptions>): Promise<void> => {
    const { limit, json } = options
    assertRequired(declared, options, required)
    const items: Row[] = []
    let hasNext = true
    await withSession(options, true, async (session) => {
      const perPage = Math.min(limit, maxPageSize)
      for (let page = 1; hasNext && items.length < limit; page++) {
        const paging: Paging = { page, perPage }
        const found = await read(session, { args, options: options as never, paging })
        items.push(...found.items)
        hasNext = found.hasNext
      }
    })
    const shown = items.slice(0, limit)
    if (json) printJson(shown)
    else if (shown.length) {
      const rows = shown.map((item) => columns.map((column) => formatCell(item[column])))
      process.stdout.write(table(columns, rows, process.stdout))
    } else process.stderr.write(`No ${noun}.\n`)
    if (hasNext || shown.length < items.length) {
      process.stderr.write(`There are more ${noun}: use --limit with more than ${limit}.\n`)
    }
  }

/** Runs the operation and prints its result. */
export const runItem =
  ({
    run,
    json,
    print,
    report,
    options: declared = {},
    required = [],
    positional,
    createsData = false,
  }: ItemDefinition<Options, Row>) =>
  async (invocation: Invocation<ItemOptions>): Promise<void> => {
    const { args } = invocation
    const options = positional === undefined ? invocation.options : readPositional(invocation, positional)
    assertRequired(declared, options, required)
    const retained = retainedOptions(invocation)
    await withSession(options, !createsData, async (session, location) => {
      const result = await run(session, { args, options: options as never, retained })
      if (options.json && result !== undefined) printJson(json ? json(result) : result)
      else if (typeof print === 'function') process.stdout.write(`${print(result)}\n`)
      else if (print) {
        const row = print.map((column) => formatCell(result[column]))
        process.stdout.write(table(print, [row], process.stdout))
      }
      if (report) process.stderr.write(`${report(result, { args, location, retained })}\n`)
    })
  }
