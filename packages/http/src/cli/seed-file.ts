import { readFileSync } from 'node:fs'
import { isPlatformError } from '@forgelet/core'
import { demoWithCode, readSeed, type Seed } from '@forgelet/core/seed'
import type { parseDocument } from 'yaml'
import { Failure, reasonOf } from './failure.ts'

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const missing = (error as { code?: string }).code === 'ENOENT'
    throw new Failure(missing ? `There is no file ${file}` : `${file} cannot be read: ${reasonOf(error)}`)
  }
}

type Parse = typeof parseDocument

const indented = (lines: readonly string[]) => lines.map((line) => `\n  ${line}`).join('')

const parseYaml = (parse: Parse, source: string, file: string): unknown => {
  const document = parse(source)
  // A tag that nobody knows is only a warning there, and a misunderstanding here.
  const faults = [...document.errors, ...document.warnings]
  if (faults.length === 0) return document.toJS()
  const lines = faults.map(({ message, linePos }) => {
    // Behind the first line stands a picture of the place.
    const says = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
    return linePos ? `line ${linePos[0].line}, column ${linePos[0].col}: ${says}` : says
  })
  throw new Failure(`${file} is not YAML:${indented(lines)}`)
}

/** Whether the beginning of a text may still become JSON: the engine complains about its end and nothing before. */
const mayGoOn = (beginning: string): boolean => {
  try {
    JSON.parse(beginning)
    return true
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(reasonOf(error)) ?? []
    return position === undefined ? /^Unexpected end/.test(reasonOf(error)) : Number(position) === beginning.length
  }
}

/** The engine names a position for some faults only, and a reader wants the line: the first one that nothing can mend. */
const faultyLine = (source: string): number => {
  const lines = source.trimEnd().split('\n')
  let [sound, broken] = [0, lines.length]
  while (broken - sound > 1) {
    const middle = (sound + broken) >> 1
    if (mayGoOn(lines.slice(0, middle).join('\n'))) sound = middle
    else broken = middle
  }
  return broken
}

const parseJson = (source: string, file: string): unknown => {
  try {
    return JSON.parse(source)
  } catch (error) {
    // Behind that stand a position or an excerpt, which the line replaces.
    const says = reasonOf(error).replace(/ in JSON at position .*$|, (?:\.{3})?".*$/s, '')
    throw new Failure(`${file} is not JSON:${indented([`line ${faultyLine(source)}: ${says}`])}`)
  }
}

const complaints = (error: unknown): readonly string[] =>
  isPlatformError(error) && error.problems.length ? error.problems.map(({ message }) => message) : [reasonOf(error)]

/**
 * Reads a world from a file: JSON when its name ends in `.json`, YAML otherwise. The word `demo` stands for the demo world;
 * a file of that name is `./demo`.
 *
 * @throws Failure with every fault: those of the syntax with their lines, those of the content with their paths
 */
export async function readSeedFile(file: string): Promise<Seed> {
  if (file === 'demo') return demoWithCode
  const source = readText(file)
  const isJson = file.toLowerCase().endsWith('.json')
  const value = isJson ? parseJson(source, file) : parseYaml((await import('yaml')).parseDocument, source, file)
  try {
    readSeed(value)
  } catch (error) {
    throw new Failure(`${file} is not a seed:${indented(complaints(error))}`)
  }
  return value as Seed
}
