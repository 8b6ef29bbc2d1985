import { createMutex, type Mutex } from '../mutex.ts'
import type { SqliteDatabase } from './driver/driver.ts'

const locks = new WeakMap<object, Mutex>()

/** The lock of a connection. Platforms that share a connection under different prefixes share its lock. */
export const getConnectionLock = ({ native }: SqliteDatabase): Mutex => {
  const lock = locks.get(native) ?? createMutex()
  locks.set(native, lock)
  return lock
}
