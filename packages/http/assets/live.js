/**
 * The live page of a control plane: what it shows is what `state` says, and what `events` adds to it. Text is only ever set as
 * text.
 */

const base = new URL('_forgelet', document.baseURI).href
const mostRows = 500

const find = (id) => document.getElementById(id)

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

const isoTime = (instant) => new Date(instant).toISOString()

const dayAndTime = (instant) => isoTime(instant).slice(0, 19).replace('T', ' ')

/* What was done last, said once. */

let messageTimer
const say = (text) => {
  clearTimeout(messageTimer)
  find('message').textContent = text
  messageTimer = setTimeout(() => {
    find('message').textContent = ''
  }, 5_000)
}

/* Calls of the control plane, with its token where it has one. */

const tokenKey = 'forgelet-control-token'

let asking
const askForToken = (hint) => {
  const dialog = find('ask-token')
  if (hint) find('token-hint').textContent = hint
  asking ??= new Promise((resolve) => {
    find('token-form').onsubmit = (event) => {
      event.preventDefault()
      sessionStorage.setItem(tokenKey, find('token').value)
      find('token').value = ''
      asking = undefined
      dialog.close()
      resolve()
    }
    // There is nothing to see without it.
    dialog.oncancel = (event) => event.preventDefault()
    dialog.showModal()
  })
  return asking
}

const call = async (method, path, body) => {
  for (;;) {
    const token = sessionStorage.getItem(tokenKey)
    const response = await fetch(`${base}${path}`, {
      method,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 401) {
      await askForToken(token === null ? undefined : 'That is not its token. Look where the server was started.')
      continue
    }
    if (response.ok) return response
    const said = await response.json().catch(() => ({}))
    throw new Error(said.message ?? said.error ?? `The server answered ${response.status}`)
  }
}

const ask = async (method, path, body) => {
  const response = await call(method, path, body)
  return response.status === 204 ? undefined : response.json()
}

/* The clock: between two answers it goes on by itself, unless it is frozen. */

let clock

const showClock = () => {
  if (!clock) return
  const now = clock.frozen ? clock.at : clock.at + (performance.now() - clock.heard)
  const text = dayAndTime(now)
  if (find('now').textContent === text) return
  find('now').textContent = text
  find('now').dateTime = isoTime(now)
}

const setClock = ({ now, frozen }) => {
  clock = { at: Date.parse(now), frozen, heard: performance.now() }
  find('clock-state').textContent = frozen ? 'frozen' : 'running'
  find('freeze').textContent = frozen ? 'Thaw' : 'Freeze'
  if (find('instant').value === '') find('instant').value = now.slice(0, 19)
  showClock()
}

/* Users, projects and jobs: replaced only after a change, so that the focus is not lost. */

const shown = new Map()
const list = (id, things, row) => {
  const text = JSON.stringify(things)
  if (shown.get(id) === text) return
  shown.set(id, text)
  const place = find(id)
  place.replaceChildren(...things.map(row))
  // What scrolls has to be within reach of the keyboard.
  place.toggleAttribute('tabindex', false)
  if (place.scrollHeight > place.clientHeight) place.tabIndex = 0
  find(`no-${id}`).hidden = things.length > 0
}

const copy = async (text, what, from) => {
  try {
    await navigator.clipboard.writeText(text)
    say(`Copied ${what}`)
  } catch {
    // Browsers keep the clipboard from pages without TLS on other machines: mark it, so that one key copies it.
    getSelection().selectAllChildren(from)
    say(`Marked ${what}: copy it with the keyboard`)
  }
}

const castRow = ({ username, token }) => {
  const code = element('code', { textContent: token, title: token })
  const button = element('button', { type: 'button', className: 'small', textContent: 'Copy' })
  button.setAttribute('aria-label', `Copy the token of ${username}`)
  button.onclick = () => copy(token, `the token of ${username}`, code)
  return element('li', {}, element('span', { className: 'name', textContent: username }), code, button)
}

const projectRow = ({ path, visibility, archived }) =>
  element(
    'li',
    {},
    element('span', { className: 'name', textContent: path }),
    element('span', { className: 'more', textContent: archived ? `${visibility}, archived` : visibility }),
  )

const jobMoment = ({ state, runAfter }) =>
  state === 'pending' ? dayAndTime(runAfter) : { running: 'runs now', parked: 'given up' }[state]

const jobRow = (job) => {
  const { kind, attempts, lastError } = job
  const row = element(
    'li',
    {},
    element('span', { className: 'name', textContent: kind }),
    element('span', { className: 'more', textContent: jobMoment(job) }),
  )
  if (lastError !== null) {
    row.append(
      element('span', { className: 'problem', textContent: `Failed ${plural(attempts, 'time')}: ${lastError}` }),
    )
  }
  return row
}

/* Each kind of job has a lane of its own. Only lanes with work are shown. */
const describeLane = ({ kind, running, concurrency, waiting, parked }) =>
  `${kind}: ${running} of ${concurrency} running, ${waiting} waiting${parked ? `, ${parked} failed` : ''}`

const showLanes = (lanes) => {
  const busy = lanes.filter(({ running, waiting, parked }) => running + waiting + parked > 0)
  find('lanes').textContent = busy.map(describeLane).join('; ')
  find('lanes').hidden = busy.length === 0
}

const showState = ({ clock: time, cast, projects, jobs, lanes }) => {
  setClock(time)
  list('cast', cast, castRow)
  list('projects', projects, projectRow)
  list('jobs', jobs, jobRow)
  showLanes(lanes)
  find('cast-count').textContent = cast.length || ''
  find('project-count').textContent = projects.length || ''
  find('job-count').textContent = jobs.length || ''
  const header = cast[0] ? ` --header "PRIVATE-TOKEN: ${cast[0].token}"` : ''
  find('example').textContent = `curl${header} ${new URL('api/v4/projects', document.baseURI).href}`
}

/* Requests, the newest first. */

let rows = []
let arrived = []
let clearedUpTo = 0
let lastId = 0
let paused = false

const classOf = ({ status }) => (status === null ? 'cut' : String(status)[0])

const fits = ({ exchange, text }) => {
  const words = find('filter-text').value.toLowerCase().split(/\s+/).filter(Boolean)
  const status = find('filter-status').value
  return (status === '' || classOf(exchange) === status) && words.every((word) => text.includes(word))
}

const cell = (name, ...content) => element('td', { className: name }, ...content)

/** A long path goes on in the next line with a slash. */
const breakable = (path) => path.split(/(?=\/)/).flatMap((part) => [element('wbr'), part])

const requestRow = (exchange) => {
  const { at, method, path, query, operation, status, milliseconds, fault } = exchange
  const parts = breakable(path)
  if (query !== '') parts.push(element('span', { className: 'query', textContent: `?${query}` }))
  if (fault !== null) parts.push(' ', element('span', { className: 'fault', textContent: `fault ${fault}` }))
  const row = element(
    'tr',
    { className: 'new' },
    cell('when', at.slice(11, 19)),
    cell('method', method),
    cell('path', ...parts),
    cell('operation', operation ?? ''),
    cell('status', status === null ? 'cut' : String(status)),
    cell('duration', milliseconds.toFixed(1)),
  )
  row.dataset.class = classOf(exchange)
  return { exchange, row, text: `${method} ${path}?${query} ${operation ?? ''}`.toLowerCase() }
}

const showCounts = () => {
  const visible = rows.filter(({ row }) => !row.hidden).length
  find('request-count').textContent =
    rows.length === 0 ? '' : visible === rows.length ? visible : `${visible} of ${rows.length}`
  find('log').hidden = visible === 0
  find('nothing').hidden = rows.length > 0
  find('no-match').hidden = rows.length === 0 || visible > 0
  const waiting = paused ? arrived.length : 0
  find('pause').textContent = paused ? (waiting ? `Resume (${waiting} new)` : 'Resume') : 'Pause'
}

const showArrived = () => {
  if (!paused && arrived.length) {
    const made = arrived.filter(({ id }) => id > clearedUpTo).map(requestRow)
    for (const entry of made) entry.row.hidden = !fits(entry)
    find('rows').prepend(...made.map(({ row }) => row).reverse())
    rows.push(...made)
    for (const { row } of rows.splice(0, rows.length - mostRows)) row.remove()
    arrived = []
  }
  showCounts()
}

const replaceRequests = (exchanges) => {
  for (const { row } of rows) row.remove()
  rows = []
  arrived = [...exchanges]
  showArrived()
}

const filter = () => {
  for (const entry of rows) entry.row.hidden = !fits(entry)
  showCounts()
}

/* Many requests at once are drawn at once, and ask for the state once. */

const soon = (work, milliseconds) => {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      work()
    }, milliseconds)
  }
}

const refresh = async () => showState(await ask('GET', '/state?requests=0'))
const quietly = () => refresh().catch(() => undefined)
const refreshSoon = soon(quietly, 300)
const drawSoon = soon(showArrived, 50)

const reload = async () => {
  const state = await ask('GET', `/state?requests=${mostRows}`)
  lastId = state.written
  if (lastId < clearedUpTo) clearedUpTo = 0
  showState(state)
  replaceRequests(state.requests)
}

const handlers = {
  exchange(exchange) {
    lastId = Math.max(lastId, exchange.id)
    arrived = [...arrived, exchange].slice(-mostRows)
    drawSoon()
    refreshSoon()
  },
  // A domain event, also of a change that was no request to this server.
  signal() {
    refreshSoon()
  },
  world({ by }) {
    // What went back in time has another journal.
    if (/\/(?:reset|restore|journal)$/.test(by)) reload().catch(() => undefined)
    else refreshSoon()
  },
}

/** One event of the stream (the HTML standard, section 9.2.6); each field is one line. */
const heard = (block) => {
  const fields = Object.fromEntries(
    block
      .split('\n')
      .filter((line) => line.includes(': '))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(': ') + 2)]),
  )
  handlers[fields.event]?.(JSON.parse(fields.data))
}

const listen = async () => {
  await reload()
  // Not an EventSource, which could send the token in the address only.
  const { body } = await call('GET', `/events?after=${lastId}`)
  connected('live', 'Live')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop()
    for (const block of blocks) heard(block)
  }
}

const connected = (state, text) => {
  if (find('connection').dataset.state === state && find('connection-text').textContent === text) return
  find('connection').dataset.state = state
  find('connection-text').textContent = text
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const keepListening = async () => {
  for (;;) {
    // A server that is not there is said at the top; it is no news each time.
    const problem = await listen().then(
      () => 'The server has gone',
      (error) => (error instanceof TypeError ? 'The server does not answer' : error.message),
    )
    connected('lost', `${problem}; trying again`)
    await pause(2_000)
  }
}

/* Buttons */

const act = (button, work) => {
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      await work()
    } catch (error) {
      say(error.message)
    } finally {
      button.disabled = false
      button.focus()
    }
  })
}

act(find('freeze'), async () => setClock(await ask('PUT', '/clock', { frozen: !clock.frozen })))

for (const button of document.querySelectorAll('[data-advance]')) {
  act(button, async () => {
    const { jobs, ...time } = await ask('POST', '/clock/advance', { [button.dataset.advance]: 1 })
    setClock(time)
    say(`It is ${dayAndTime(time.now)} now; ${plural(jobs, 'job')} ran`)
  })
}

find('set-clock').addEventListener('submit', async (event) => {
  event.preventDefault()
  try {
    setClock(await ask('PUT', '/clock', { at: `${find('instant').value}Z` }))
    say(`It is ${find('now').textContent} now`)
  } catch (error) {
    say(error.message)
  }
})

act(find('drain'), async () => {
  const { ran } = await ask('POST', '/jobs/drain')
  say(ran === 0 ? 'No job was due' : `${plural(ran, 'job')} ran`)
})

find('pause').addEventListener('click', () => {
  paused = !paused
  find('pause').classList.toggle('main', paused)
  showArrived()
})

find('clear').addEventListener('click', () => {
  // Only from here: the journal may be what a test is waiting on.
  clearedUpTo = lastId
  replaceRequests([])
})

find('filter').addEventListener('submit', (event) => event.preventDefault())
find('filter-text').addEventListener('input', filter)
find('filter-status').addEventListener('change', filter)
find('show-all').addEventListener('click', () => {
  find('filter').reset()
  filter()
  find('filter-text').focus()
})
find('copy-example').addEventListener('click', () => {
  void copy(find('example').textContent, 'the command', find('example'))
})

// A test changes the clock and creates objects without requests: poll while the page is visible.
setInterval(() => {
  if (!document.hidden && find('connection').dataset.state === 'live') void quietly()
}, 5_000)
setInterval(showClock, 250)

void keepListening()
