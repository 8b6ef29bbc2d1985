/** The received requests, the newest first. Each can be expanded. */

import { createElement, createText, find } from './dom.js'
import { loadDetails } from './exchange.js'

/** Number of requests on the page. */
export const maxRequests = 500

let entries = []
let arrived = []
let clearedUpTo = 0
let newestId = 0
let isPaused = false

export const getNewestId = () => newestId

const getStatusClass = ({ status }) => (status === null ? 'cut' : String(status)[0])

const matchesFilter = ({ exchange, text }) => {
  const words = find('filter-text').value.toLowerCase().split(/\s+/).filter(Boolean)
  const status = find('filter-status').value
  return (status === '' || getStatusClass(exchange) === status) && words.every((word) => text.includes(word))
}

const createCell = (className, ...content) => createElement('td', { className }, ...content)

/** Lets a long path continue on the next line with a slash. */
const splitPath = (path) => path.split(/(?=\/)/).flatMap((part) => [createElement('wbr'), part])

const setVisible = ({ row, details, toggle }, isVisible) => {
  row.hidden = !isVisible
  details.hidden = !isVisible || toggle.getAttribute('aria-expanded') === 'false'
}

const toggleDetails = ({ exchange, details, toggle }) => {
  const isExpanded = toggle.getAttribute('aria-expanded') === 'false'
  toggle.setAttribute('aria-expanded', String(isExpanded))
  details.hidden = !isExpanded
  if (isExpanded) void loadDetails(exchange.id, details.firstElementChild)
}

const createToggle = ({ id, path, query, fault }) => {
  const toggle = createElement('button', { type: 'button', className: 'toggle', tabIndex: -1 }, ...splitPath(path))
  toggle.setAttribute('aria-expanded', 'false')
  toggle.setAttribute('aria-controls', `details-${id}`)
  if (query !== '') toggle.append(createText('query', `?${query}`))
  if (fault !== null) toggle.append(' ', createText('fault', `fault ${fault}`))
  return toggle
}

const createEntry = (exchange) => {
  const { id, at, method, path, query, operation, status, milliseconds, caller, refusal } = exchange
  const toggle = createToggle(exchange)
  const row = createElement(
    'tr',
    { className: 'new' },
    createCell('when', at.slice(11, 19)),
    createCell('method', method),
    createCell('path', toggle),
    createCell('operation', operation ?? ''),
    createCell('status', status === null ? 'cut' : String(status)),
    createCell('duration', milliseconds.toFixed(1)),
  )
  row.dataset.class = getStatusClass(exchange)
  const details = createElement(
    'tr',
    { className: 'details', id: `details-${id}`, hidden: true },
    createElement('td', { colSpan: 6 }),
  )
  const text = `${method} ${path}?${query} ${operation ?? ''} ${caller ?? ''} ${refusal ?? ''}`.toLowerCase()
  const entry = { exchange, row, details, toggle, text }
  row.addEventListener('click', () => {
    // Selecting the text of a row does not expand it.
    if (getSelection().isCollapsed) toggleDetails(entry)
  })
  return entry
}

const listVisible = () => entries.filter(({ row }) => !row.hidden).reverse()

/** One request is in the tab order; the arrow keys move to the others. */
const setTabStop = (entry) => {
  for (const { toggle } of entries) toggle.tabIndex = -1
  if (entry) entry.toggle.tabIndex = 0
}

const renderCounts = () => {
  const visible = listVisible()
  find('request-count').textContent =
    entries.length === 0
      ? ''
      : visible.length === entries.length
        ? visible.length
        : `${visible.length} of ${entries.length}`
  find('log').hidden = visible.length === 0
  find('nothing').hidden = entries.length > 0
  find('no-match').hidden = entries.length === 0 || visible.length > 0
  if (!visible.some(({ toggle }) => toggle.tabIndex === 0)) setTabStop(visible[0])
  const waiting = isPaused ? arrived.length : 0
  find('pause').textContent = isPaused ? (waiting ? `Resume (${waiting} new)` : 'Resume') : 'Pause'
}

const removeEntry = ({ row, details }) => {
  row.remove()
  details.remove()
}

export const renderArrived = () => {
  if (!isPaused && arrived.length) {
    const created = arrived.filter(({ id }) => id > clearedUpTo).map(createEntry)
    for (const entry of created) setVisible(entry, matchesFilter(entry))
    find('rows').prepend(...created.toReversed().flatMap(({ row, details }) => [row, details]))
    entries.push(...created)
    entries.splice(0, entries.length - maxRequests).forEach(removeEntry)
    arrived = []
  }
  renderCounts()
}

export const addRequest = (exchange) => {
  newestId = Math.max(newestId, exchange.id)
  arrived = [...arrived, exchange].slice(-maxRequests)
}

/** @param written the number of the newest request; smaller than before after a restart of the server */
export const replaceRequests = (exchanges, written) => {
  newestId = written
  if (newestId < clearedUpTo) clearedUpTo = 0
  entries.forEach(removeEntry)
  entries = []
  arrived = [...exchanges]
  renderArrived()
}

const filterRequests = () => {
  for (const entry of entries) setVisible(entry, matchesFilter(entry))
  renderCounts()
}

const moveFocus = (event) => {
  const visible = listVisible()
  const index = visible.findIndex(({ toggle }) => toggle === document.activeElement)
  if (index < 0) return
  const targets = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: visible.length - 1 }
  const target = visible[targets[event.key]]
  if (!target) return
  event.preventDefault()
  setTabStop(target)
  target.toggle.focus()
}

export const startRequests = () => {
  find('pause').addEventListener('click', () => {
    isPaused = !isPaused
    find('pause').classList.toggle('main', isPaused)
    renderArrived()
  })
  find('clear').addEventListener('click', () => {
    // Only on the page: a test may wait for requests in the journal.
    clearedUpTo = newestId
    replaceRequests([], newestId)
  })
  find('filter').addEventListener('submit', (event) => event.preventDefault())
  find('filter-text').addEventListener('input', filterRequests)
  find('filter-status').addEventListener('change', filterRequests)
  find('show-all').addEventListener('click', () => {
    find('filter').reset()
    filterRequests()
    find('filter-text').focus()
  })
  find('rows').addEventListener('keydown', moveFocus)
}
