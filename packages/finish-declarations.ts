import { basename, resolve } from 'node:path'
import { annotateDeclarations } from '../test/reference/descriptions/annotate-declarations.ts'
import { mapDeclarations } from './map-declarations.ts'

/**
 * Adds comments and declaration maps to the built declarations, the last step of the build of each package. Arguments: folders of
 * packages; default: the current one. All of it uses one TypeScript program, which takes most of the time.
 */

const given = process.argv.slice(2)
for (const folder of given.length ? given.map((path) => resolve(path)) : [process.cwd()]) {
  const name = basename(folder)
  // The comments change positions in the declarations, so they come before the maps.
  if (name === 'core') console.log(`${annotateDeclarations(folder)} operations have comments`)
  console.log(`${mapDeclarations(folder)} declared names of ${name} lead to the sources`)
}
