/** For test fixtures and command lines: a forge that tests control. */

export {
  type ControlPlane,
  type ControlPlaneOptions,
  controlPrefix,
  createControlPlane,
} from './control/control-plane.ts'
export {
  type ControlledWorld,
  type ControlledWorldOptions,
  collectTokens,
  createControlledWorld,
  type Snapshot,
} from './control/controlled-world.ts'
export type { DomainEvents, EventWaitOptions } from './control/domain-events.ts'
export { type Duration, type Instant, parseInstant } from './control/duration.ts'
export type { Exchange, Message } from './control/exchange.ts'
export { createExchangeMatcher, type ExchangeFilter } from './control/exchange-filter.ts'
export type { Fault } from './control/fault.ts'
export type { FaultHandle, Faults } from './control/faults.ts'
export { assertInteger } from './control/invalid-value.ts'
export type { Journal, JournalOptions, WaitOptions } from './control/journal.ts'
export type { Mailbox, MailFilter } from './control/mailbox.ts'
export type { PartialParameters } from './control/sent-parameters.ts'
export { UnservedRequestError } from './control/unserved.ts'
export { UnsupportedParametersError } from './control/unsupported.ts'
export {
  formatFilter,
  formatReceivedRequests,
  WaitTimeoutError,
} from './control/wait-for.ts'
export type { ClockState, WorldClock } from './control/world-clock.ts'
export { openImage } from './control/world-image.ts'
