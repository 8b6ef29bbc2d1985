import { readdirSync, readFileSync } from 'node:fs'

const readProcFile = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // The process has exited since it was listed.
    return ''
  }
}

const listProcessIds = () => readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))

const readCommandLine = (pid: string) => readProcFile(pid, 'cmdline').replaceAll('\0', ' ')

/** Command lines of all processes on this machine. */
export const listCommandLines = (): string[] => listProcessIds().map(readCommandLine).filter(Boolean)

/** Ids of processes with `marker` in their environment and a command line that matches `pattern`. */
export const findMarkedProcesses = (marker: string, pattern: RegExp): string[] =>
  listProcessIds().filter((pid) => pattern.test(readCommandLine(pid)) && readProcFile(pid, 'environ').includes(marker))

/** Ids of the direct children of a process. */
export const findChildProcesses = (parentId: number | string): string[] =>
  listProcessIds().filter(
    (pid) => / ([0-9]+) /.exec(readProcFile(pid, 'stat').replace(/^.*\) ./s, ''))?.[1] === String(parentId),
  )
