/** For fixtures and command lines: a forge in the hands of a test. */

export type { Partially } from './control/carried.ts'
export { type ControlPlane, type ControlPlaneOptions, controlPlane, controlPrefix } from './control/control-plane.ts'
export {
  type ControlledWorld,
  type ControlledWorldOptions,
  controlledWorld,
  type Images,
  type Snapshot,
  tokensOf,
} from './control/controlled-world.ts'
export type { Duration, Instant } from './control/duration.ts'
export { type Exchange, type ExchangeFilter, exchangeTest, type Message } from './control/exchange.ts'
export type { Fault } from './control/fault.ts'
export type { FaultHandle, Faults } from './control/faults.ts'
export type { Journal, JournalOptions } from './control/journal.ts'
export { instead, NothingCame, type WaitOptions, wanted } from './control/waiting.ts'
export type { ClockState, WorldClock } from './control/world-clock.ts'
