import { dirname, isAbsolute, join } from 'node:path'
import { isPlatformError } from '@forgelet/core'
import { demoWithCode, parseSeed, type Seed } from '@forgelet/core/seed'
import type { parseDocument } from 'yaml'
import { messageOf } from '../app/error-text.ts'
import { CliError } from './cli-error.ts'
import { indented, parseJsonFile, readTextFile } from './text-file.ts'

type Parse = typeof parseDocument

/** @throws CliError with all syntax errors and their lines */
export const parseYaml = (parse: Parse, source: string, file: string): unknown => {
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

const problemsOf = (error: unknown): readonly string[] =>
  isPlatformError(error) && error.problems.length ? error.problems.map(({ message }) => message) : [messageOf(error)]

/** Paths of repositories are relative to the file. */
const atFolder = (folder: string, seed: Seed): Seed => {
  const { projects } = seed
  if (folder === '.' || !projects) return seed
  const withPath = (project: (typeof projects)[number]) => {
    const path = project.repository?.import
    if (path === undefined || isAbsolute(path)) return project
    return { ...project, repository: { ...project.repository, import: join(folder, path) } }
  }
  return { ...seed, projects: projects.map(withPath) }
}

/**
 * Reads seed data from a file: JSON if its name ends in `.json`, YAML otherwise. The word `demo` is the demo data; a file
 * of that name is `./demo`.
 *
 * @throws CliError with all problems: syntax errors with their lines, invalid content with its paths
 */
export async function readSeedFile(file: string): Promise<Seed> {
  if (file === 'demo') return demoWithCode
  const source = readTextFile(file)
  const isJson = file.toLowerCase().endsWith('.json')
  const value = isJson ? parseJsonFile(source, file) : parseYaml((await import('yaml')).parseDocument, source, file)
  try {
    parseSeed(value)
  } catch (error) {
    throw new CliError(`${file} is not valid seed data:${indented(problemsOf(error))}`)
  }
  return atFolder(dirname(file), value as Seed)
}
