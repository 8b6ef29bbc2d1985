import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { EventConsumer, EventFeed, EventFeedState, RecordedEvent } from '../../kernel/event-feed.ts'
import { createWakeUp } from '../../shared/wake-up.ts'
import { openListener } from './listener.ts'
import type { EventSettings } from './options.ts'
import { createOutbox, type RunStatement } from './outbox.ts'
import { type OpenedConsumer, openConsumer } from './outbox-consumer.ts'

interface FeedOptions extends EventSettings {
  readonly source: Pool | string
  readonly schema: string | undefined
  readonly connectTimeout: number
}

export interface PostgresFeed extends EventFeed {
  /** Writes the events of a transaction into the outbox, as its last statement. */
  record(run: RunStatement, events: readonly RecordedEvent[]): Promise<void>
  /** Called after the commit of recorded events: notifies all processes. */
  committed(): void
  readState(run: RunStatement): Promise<EventFeedState>
  /** Waits for running listeners, at most for one second. */
  close(): Promise<void>
}

/** Milliseconds between reads without a notification: it is lost if a process ends between its commit and its notification. */
const pollInterval = 5_000
/** Milliseconds until the next read while events wait for transactions that are still running. */
const minOrderPause = 5
const maxOrderPause = 500
/** Milliseconds until the next attempt to connect. */
const minReconnectPause = 100
const maxReconnectPause = 5_000
/** Milliseconds between attempts to receive events in place of another process with the same consumer name. */
const standbyInterval = 1_000
/** Milliseconds between deletions of old events. */
const deletionInterval = 60_000
/** Milliseconds that `close` waits. */
const closeTimeout = 1_000

/** The events of all processes, over an outbox table. Notifications only say that there may be new events. */
export const createPostgresFeed = (options: FeedOptions): PostgresFeed => {
  const { source, schema, connectTimeout, retention } = options
  const outbox = createOutbox(schema)
  const channel = schema === undefined ? 'forgelet_events' : `forgelet_events_${schema}`
  const { wake, wait } = createWakeUp()
  let hasUnsentNotification = false
  let isStopped = false
  let connected = false
  let standby = false
  /** Of the last connection; an unnamed consumer continues there. */
  let position: number | undefined
  let nextDeletion = 0
  let running: Promise<void> | undefined
  let closeSession: () => Promise<void> = async () => undefined

  /** Of all platforms over the store. */
  const consumers = new Set<EventConsumer>()
  const consumer: EventConsumer = {
    getNames: () => [...new Set([...consumers].flatMap(({ getNames }) => getNames()))],
    deliver: (event) => [...consumers].flatMap(({ deliver }) => deliver(event)),
    async onError(error, name) {
      for (const { onError } of consumers) await onError(error, name)
    },
  }

  const openSession = async () => {
    const listener = await openListener({ source, channel, connectTimeout, onNotification: wake })
    const sendNotification = async () => {
      if (!hasUnsentNotification) return
      hasUnsentNotification = false
      await listener.notify()
    }
    const open = async (): Promise<OpenedConsumer | undefined> => {
      const { consumer: name } = options
      if (name !== undefined && !(await listener.tryLock(name))) return undefined
      return openConsumer({ outbox, run: listener.run, consumer, name, position })
    }
    try {
      return { listener, sendNotification, open, opened: await open() }
    } catch (error) {
      await listener.close()
      throw error
    }
  }
  type Session = Awaited<ReturnType<typeof openSession>>

  const deleteOldEvents = async (run: RunStatement) => {
    if (performance.now() < nextDeletion) return
    const hasMore = await outbox.deleteBefore(run, new Date(Date.now() - retention).toISOString())
    nextDeletion = performance.now() + (hasMore ? 0 : deletionInterval)
  }

  /** Delivers events until the session ends or the feed is closed. */
  const deliverAll = async ({ listener, sendNotification, open, opened }: Session) => {
    let current = opened
    let orderPause = minOrderPause
    for (;;) {
      await sendNotification()
      if (isStopped) return
      await deleteOldEvents(listener.run)
      standby = current === undefined
      if (!current) {
        await wait(standbyInterval)
        current = await open()
        continue
      }
      const outcome = await current.deliverNext()
      ;({ position } = current)
      if (outcome === 'more') continue
      orderPause = outcome === 'waiting' ? Math.min(orderPause * 2, maxOrderPause) : minOrderPause
      if (!isStopped) await wait(outcome === 'waiting' ? orderPause : pollInterval)
    }
  }

  const runSession = async (session: Session) => {
    connected = true
    closeSession = session.listener.close
    try {
      await deliverAll(session)
    } finally {
      connected = false
      await session.listener.close()
    }
  }

  const reconnect = async (): Promise<Session | undefined> => {
    for (let delay = minReconnectPause; !isStopped; delay = Math.min(delay * 2, maxReconnectPause)) {
      // Random, so that not all processes connect to a restarted server at the same moment.
      await wait(delay * (0.5 + Math.random()))
      try {
        return await openSession()
      } catch {
        // The first error of the outage was reported.
      }
    }
    return undefined
  }

  const runSessions = async (first: Session) => {
    for (let session: Session | undefined = first; session; session = await reconnect()) {
      try {
        await runSession(session)
      } catch (error) {
        if (!isStopped) await consumer.onError(error, 'events')
      }
      if (isStopped) return
    }
  }

  const start = async () => {
    const session = await openSession()
    if (isStopped) return session.listener.close()
    running = runSessions(session)
  }
  let started: Promise<void> | undefined

  return {
    start(added) {
      consumers.add(added)
      started ??= start().catch((error: unknown) => {
        started = undefined
        throw error
      })
      return started
    },
    record: outbox.write,
    committed() {
      hasUnsentNotification = true
      wake()
    },
    async readState(run) {
      const oldest = standby || position === undefined ? undefined : await outbox.readOldestTime(run, position)
      const delaySeconds = oldest === undefined ? null : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000)
      return { connected, standby, delaySeconds }
    },
    async close() {
      isStopped = true
      wake()
      const timeout = new AbortController()
      await Promise.race([running, pause(closeTimeout, undefined, { signal: timeout.signal }).catch(() => undefined)])
      timeout.abort()
      await closeSession()
    },
  }
}
