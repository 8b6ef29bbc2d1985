import * as nodeModule from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Caches compiled code, which halves the start time. Node executes cached code without reading its source, so the cache is
 * in a folder of the user and not in the shared temporary folder.
 */
export const cacheCompiledCode = (environment: NodeJS.ProcessEnv): void => {
  const { XDG_CACHE_HOME: userCache, NODE_COMPILE_CACHE: folder } = environment
  // Deno has no such function. A named import of it would be an error.
  const { enableCompileCache } = nodeModule
  enableCompileCache?.(folder || join(userCache || join(homedir(), '.cache'), 'forgelet'))
}
