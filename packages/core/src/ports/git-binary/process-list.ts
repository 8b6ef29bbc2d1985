import { readdirSync, readFileSync } from 'node:fs'

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // Gone meanwhile.
    return ''
  }
}

const processIds = () => readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))

const commandLine = (pid: string) => read(pid, 'cmdline').replaceAll('\0', ' ')

/** For tests: what every process of this machine was started with. */
export const commandLines = (): string[] => processIds().map(commandLine).filter(Boolean)

/** For tests: ids of the processes of this machine that carry a marker in their environment and match a pattern. */
export const childrenMarked = (marker: string, pattern: RegExp): string[] =>
  processIds().filter((pid) => pattern.test(commandLine(pid)) && read(pid, 'environ').includes(marker))

/** For tests: ids of the processes that one process has started. */
export const childrenOf = (parent: number | string): string[] =>
  processIds().filter((pid) => / ([0-9]+) /.exec(read(pid, 'stat').replace(/^.*\) ./s, ''))?.[1] === String(parent))
