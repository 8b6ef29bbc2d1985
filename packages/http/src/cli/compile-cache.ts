import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Compiled code is kept between starts, which halves the time of a start. It is executed without being read again, so it
 * lies in a folder of the user's own and not in the machine's temporary one. Without such a folder nothing is kept.
 */
export const keepCompiledCode = (environment: NodeJS.ProcessEnv): void => {
  const { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: chosen } = environment
  enableCompileCache(chosen || join(caches || join(homedir(), '.cache'), 'forgelet'))
}
