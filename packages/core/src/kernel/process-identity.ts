import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { getErrorCode } from '../shared/error-code.ts'

const unlessMissing = (read: () => string): string | undefined => {
  try {
    return read().trim()
  } catch {
    return undefined
  }
}

/**
 * Where process ids are unique: since one start of the system, in one namespace of processes. Containers on one machine have
 * different namespaces. Without such data, as on macOS and Windows, the name of the host.
 */
const readScope = (): string => {
  const boot = unlessMissing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))
  const namespace = unlessMissing(() => readlinkSync('/proc/self/ns/pid'))
  return boot && namespace ? `${boot} ${namespace}` : hostname()
}

/** When a process was started, so that a later one with the same id is another one. `-` where the system does not say. */
const readStart = (pid: number): string => {
  const stat = unlessMissing(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The name of the program is in parentheses and can contain any character; the 20th field behind it is the start.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return getErrorCode(error) !== 'ESRCH'
  }
}

let own: string | undefined

/**
 * Identifies this process among all that share a database. Locks and leases in the database contain it, so that those of a process
 * that was killed end at once: see `isProcessGone`.
 */
export const getProcessIdentity = (): string => (own ??= `${readScope()} ${process.pid} ${readStart(process.pid)}`)

/**
 * Whether a process is known to have ended. False for processes of other hosts, of other containers and of an earlier start of the
 * system, about which nothing is known, and for text that is no identity: wait for their leases.
 */
export const isProcessGone = (identity: string): boolean => {
  const [, scope, id, start] = /^(.+) ([1-9][0-9]*) ([0-9]+|-)$/s.exec(identity) ?? []
  if (scope === undefined || identity === getProcessIdentity() || scope !== readScope()) return false
  return !isRunning(Number(id)) || readStart(Number(id)) !== start
}
