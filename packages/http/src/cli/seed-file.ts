import { readFileSync } from 'node:fs'
import { isPlatformError } from '@forgelet/core'
import { demoWithCode, parseSeed, type Seed } from '@forgelet/core/seed'
import type { parseDocument } from 'yaml'
import { messageOf } from '../server/error-text.ts'
import { CliError } from './cli-error.ts'

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const missing = (error as { code?: string }).code === 'ENOENT'
    throw new CliError(missing ? `There is no file ${file}` : `${file} cannot be read: ${messageOf(error)}`)
  }
}

type Parse = typeof parseDocument

const indented = (lines: readonly string[]) => lines.map((line) => `\n  ${line}`).join('')

const parseYaml = (parse: Parse, source: string, file: string): unknown => {
  const document = parse(source)
  // The library reports an unknown tag as a warning only.
  const problems = [...document.errors, ...document.warnings]
  if (problems.length === 0) return document.toJS()
  const lines = problems.map(({ message, linePos }) => {
    // The other lines are an excerpt of the source.
    const summary = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
    return linePos ? `line ${linePos[0].line}, column ${linePos[0].col}: ${summary}` : summary
  })
  throw new CliError(`${file} is not valid YAML:${indented(lines)}`)
}

/** Whether a text is a prefix of valid JSON: the only syntax error is at its end. */
const isJsonPrefix = (prefix: string): boolean => {
  try {
    JSON.parse(prefix)
    return true
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(messageOf(error)) ?? []
    return position === undefined ? /^Unexpected end/.test(messageOf(error)) : Number(position) === prefix.length
  }
}

/** The line of a syntax error, by binary search; V8 includes the position in only some of its messages. */
const lineOfSyntaxError = (source: string): number => {
  const lines = source.trimEnd().split('\n')
  let [valid, invalid] = [0, lines.length]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isJsonPrefix(lines.slice(0, middle).join('\n'))) valid = middle
    else invalid = middle
  }
  return invalid
}

const parseJson = (source: string, file: string): unknown => {
  try {
    return JSON.parse(source)
  } catch (error) {
    // Without the position or the excerpt, which the line replaces.
    const summary = messageOf(error).replace(/ in JSON at position .*$|, (?:\.{3})?".*$/s, '')
    throw new CliError(`${file} is not valid JSON:${indented([`line ${lineOfSyntaxError(source)}: ${summary}`])}`)
  }
}

const problemsOf = (error: unknown): readonly string[] =>
  isPlatformError(error) && error.problems.length ? error.problems.map(({ message }) => message) : [messageOf(error)]

/**
 * Reads seed data from a file: JSON if its name ends in `.json`, YAML otherwise. The word `demo` is the demo data; a file
 * of that name is `./demo`.
 *
 * @throws CliError with all problems: syntax errors with their lines, invalid content with its paths
 */
export async function readSeedFile(file: string): Promise<Seed> {
  if (file === 'demo') return demoWithCode
  const source = readText(file)
  const isJson = file.toLowerCase().endsWith('.json')
  const value = isJson ? parseJson(source, file) : parseYaml((await import('yaml')).parseDocument, source, file)
  try {
    parseSeed(value)
  } catch (error) {
    throw new CliError(`${file} is not valid seed data:${indented(problemsOf(error))}`)
  }
  return value as Seed
}
