import type { MutationResult } from '../reports/reliability-page.ts'

interface Mutant {
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored'
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: { readonly start: { readonly line: number } }
}

/** The parts of the JSON report that are used. */
export interface StrykerReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>
}

const describeMutant = (file: string, { mutatorName, replacement = '', location }: Mutant) =>
  `${file}:${location.start.line} ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 80)}`

/** Counts the mutants of a report by outcome. */
export const summarize = ({ files }: StrykerReport): MutationResult => {
  const mutants = Object.entries(files).flatMap(([file, content]) =>
    content.mutants.map((mutant) => ({ file, mutant })),
  )
  const select = (...statuses: readonly Mutant['status'][]) =>
    mutants.filter(({ mutant }) => statuses.includes(mutant.status))
  return {
    files: Object.keys(files),
    detected: select('Killed', 'Timeout').length,
    survived: select('Survived').length,
    uncovered: select('NoCoverage').length,
    invalid: select('CompileError', 'RuntimeError').length,
    undetected: select('Survived', 'NoCoverage').map(({ file, mutant }) => describeMutant(file, mutant)),
  }
}
