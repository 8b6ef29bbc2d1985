import { readFileSync } from 'node:fs'
import { getErrorCode } from '@forgelet/core/operations'
import { messageOf } from '../app/error-text.ts'
import { CliError } from './cli-error.ts'

/** @throws CliError if the file does not exist or cannot be read */
export const readTextFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const missing = getErrorCode(error) === 'ENOENT'
    throw new CliError(missing ? `There is no file ${file}` : `${file} cannot be read: ${messageOf(error)}`)
  }
}

export const indented = (lines: readonly string[]): string => lines.map((line) => `\n  ${line}`).join('')

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

/** @throws CliError with the line of the syntax error, without the text there, which can be a secret */
export const parseJsonFile = (source: string, file: string): unknown => {
  try {
    return JSON.parse(source)
  } catch (error) {
    // Without the position or the excerpt, which the line replaces.
    const summary = messageOf(error).replace(/ in JSON at position .*$|, (?:\.{3})?".*$/s, '')
    throw new CliError(`${file} is not valid JSON:${indented([`line ${lineOfSyntaxError(source)}: ${summary}`])}`)
  }
}
