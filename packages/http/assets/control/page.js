/** The page of a control plane: it shows the `state`, and updates it after each of the `events`. */

import { renderClock, startClock } from './clock.js'
import { renderDeliveries } from './deliveries.js'
import { copyText, find } from './dom.js'
import { followEvents, isConnected } from './events.js'
import { renderFaults, startFaults } from './faults.js'
import { renderLists, startJobs } from './lists.js'
import { renderMail } from './mail.js'
import { addRequest, getNewestId, maxRequests, renderArrived, replaceRequests, startRequests } from './requests.js'
import { requestJson } from './server.js'
import { renderSnapshots, startSnapshots } from './snapshots.js'

const renderExample = (users) => {
  const header = users[0] ? ` --header "PRIVATE-TOKEN: ${users[0].token}"` : ''
  find('example').textContent = `curl${header} ${new URL('api/v4/projects', document.baseURI).href}`
}

const renderState = (state) => {
  renderClock(state.clock)
  renderLists(state)
  renderDeliveries(state.deliveries)
  renderMail(state.mail)
  renderFaults(state.faults)
  renderSnapshots(state.snapshots)
  renderExample(state.users)
}

/** Joins many events into one call. */
const debounce = (work, milliseconds) => {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      work()
    }, milliseconds)
  }
}

// Failures appear as a lost connection.
const refresh = () =>
  requestJson('GET', '/state?requests=0')
    .then(renderState)
    .catch(() => undefined)
const refreshSoon = debounce(refresh, 300)
const renderArrivedSoon = debounce(renderArrived, 50)

const load = async () => {
  const state = await requestJson('GET', `/state?requests=${maxRequests}`)
  renderState(state)
  replaceRequests(state.requests, state.written)
  return getNewestId()
}

void followEvents(load, {
  exchange(exchange) {
    addRequest(exchange)
    renderArrivedSoon()
    refreshSoon()
  },
  // A domain event, also of a change without a request to this server.
  signal: refreshSoon,
  world({ by }) {
    // Another state of the world has another journal.
    if (/\/(?:reset|restore|journal)$/.test(by)) load().catch(() => undefined)
    else refreshSoon()
  },
})

startClock()
startFaults()
startJobs()
startRequests()
startSnapshots()
find('copy-example').addEventListener('click', () => {
  void copyText(find('example').textContent, 'the command', find('example'))
})

// A test changes the clock and creates objects without requests.
setInterval(() => {
  if (!document.hidden && isConnected()) void refresh()
}, 5_000)
