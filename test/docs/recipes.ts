import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './snippets.ts'

/** One code block of a recipe in CONTRIBUTING.md. */
export interface RecipeStep {
  /** Line in CONTRIBUTING.md: `CONTRIBUTING.md:140`. */
  readonly place: string
  /** The file to change, from the root of the workspace. */
  readonly path: string
  /** Whether the block is the content of a new file. */
  readonly isNew: boolean
  readonly code: string
}

export interface Recipe {
  /** The heading: `Add an operation`. */
  readonly name: string
  readonly steps: readonly RecipeStep[]
}

const page = 'CONTRIBUTING.md'

const isFence = (line: string) => line.startsWith('```')

const readSteps = (lines: readonly string[], firstLine: number): RecipeStep[] => {
  const steps: RecipeStep[] = []
  let path: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    if (/^\d+\. /.test(line)) path = /`([\w./-]+\.ts)`/.exec(line)?.[1]
    if (!isFence(line)) continue
    const place = `${page}:${firstLine + at}`
    const end = lines.findIndex((other, index) => index > at && isFence(other))
    if (!/^```(diff|ts new)$/.test(line)) throw new Error(`${place}: a recipe has only diff and ts new blocks`)
    if (path === undefined) throw new Error(`${place}: the step names no TypeScript file`)
    const code = lines.slice(at + 1, end).join('\n')
    steps.push({ place, path, isNew: line === '```ts new', code: `${code}\n` })
    at = end
  }
  return steps
}

/** The recipes of CONTRIBUTING.md. The first path of a numbered step is the file that its code blocks change. */
export const recipes: readonly Recipe[] = (() => {
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  const headings = lines.flatMap((line, at) => (/^#{2,3} /.test(line) ? [at] : []))
  return headings.flatMap((start, index) => {
    const name = /^### (Add .*)$/.exec(lines[start] as string)?.[1]
    if (name === undefined) return []
    return [{ name, steps: readSteps(lines.slice(start, headings[index + 1]), start + 1) }]
  })
})()

const countOccurrences = (text: string, part: string) => text.split(part).length - 1

/**
 * Applies the hunks of a diff block, which `@@` lines separate. The lines without `+` of each hunk must occur exactly once.
 *
 * @throws Error that names the block and the lines
 */
const applyDiff = ({ place, path, code }: RecipeStep, text: string): string => {
  let changed = `\n${text}`
  for (const hunk of code.replace(/\n$/, '').split('\n@@\n')) {
    const lines = hunk.split('\n')
    const select = (except: string) =>
      `\n${lines
        .filter((line) => !line.startsWith(except))
        .map((line) => line.slice(1))
        .join('\n')}\n`
    const before = select('+')
    const count = countOccurrences(changed, before)
    if (count !== 1) throw new Error(`${place}: ${path} has these lines ${count} times instead of once:${before}`)
    changed = changed.replace(before, () => select('-'))
  }
  return changed.slice(1)
}

/** The content of the file of a step after it. `before`: the content; undefined if there is no such file. */
const applyStep = (step: RecipeStep, before: string | undefined): string => {
  if (step.isNew && before !== undefined) throw new Error(`${step.place}: ${step.path} exists already`)
  if (step.isNew) return step.code
  if (before === undefined) throw new Error(`${step.place}: ${step.path} does not exist`)
  return applyDiff(step, before)
}

/** The changed files of the workspace after all recipes in their order, by path. */
export const applyRecipes = (): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const step of recipes.flatMap(({ steps }) => steps)) {
    const file = join(root, step.path)
    const before = files.get(step.path) ?? (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
    files.set(step.path, applyStep(step, before))
  }
  return files
}
