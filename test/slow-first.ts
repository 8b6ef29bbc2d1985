import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait for other programs, such as servers, compilers and browsers, are slow at any size. */
const startsPrograms =
  /\/(test\/(cli|clients|docs|durability|examples|fixtures|openapi|packed|pages|random|registry|tools)|examples|packages\/core\/src\/ports\/git-binary)\//

/**
 * Runs slow files first, so that the last ones to end are short and all workers end at about the same time. Vitest's own order
 * uses the durations of earlier runs; a clean checkout has none.
 */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = (file: TestSpecification) => startsPrograms.test(file.moduleId)
    // The files of a project remain together, because they share processes.
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project)
    return [...projects.values()].flatMap((sorted) => [
      ...sorted.filter(isSlow),
      ...sorted.filter((file) => !isSlow(file)),
    ])
  }
}
