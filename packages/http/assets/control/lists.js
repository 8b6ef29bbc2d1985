/** Users with tokens, projects and jobs. */

import {
  announce,
  copyText,
  createButton,
  createElement,
  createText,
  find,
  formatCount,
  formatInstant,
  renderList,
  runOnClick,
} from './dom.js'
import { requestJson } from './server.js'

const createUserRow = ({ username, token }) => {
  const code = createElement('code', { textContent: token, title: token })
  const button = createButton('Copy', `Copy the token of ${username}`, () =>
    copyText(token, `the token of ${username}`, code),
  )
  return createElement('li', {}, createText('name', username), code, button)
}

const createProjectRow = ({ path, visibility, archived }) =>
  createElement(
    'li',
    {},
    createText('name', path),
    createText('more', archived ? `${visibility}, archived` : visibility),
  )

const describeDueTime = ({ state, runAfter }) =>
  state === 'pending' ? formatInstant(runAfter) : { running: 'running', parked: 'failed' }[state]

const createJobRow = (job) => {
  const { kind, attempts, lastError } = job
  const row = createElement('li', {}, createText('name', kind), createText('more', describeDueTime(job)))
  if (lastError !== null) row.append(createText('problem', `Failed ${formatCount(attempts, 'time')}: ${lastError}`))
  return row
}

/* Each kind of job has its own lane. Only lanes with work are shown. */
const describeLane = ({ kind, running, concurrency, waiting, parked }) =>
  `${kind}: ${running} of ${concurrency} running, ${waiting} waiting${parked ? `, ${parked} failed` : ''}`

const renderLanes = (lanes) => {
  const busy = lanes.filter(({ running, waiting, parked }) => running + waiting + parked > 0)
  find('lanes').textContent = busy.map(describeLane).join('; ')
  find('lanes').hidden = busy.length === 0
}

export const renderLists = ({ users, projects, jobs, lanes }) => {
  renderList('users', users, createUserRow)
  renderList('projects', projects, createProjectRow)
  renderList('jobs', jobs, createJobRow)
  renderLanes(lanes)
}

export const startJobs = () =>
  runOnClick(find('drain'), async () => {
    const { ran } = await requestJson('POST', '/jobs/drain')
    announce(ran === 0 ? 'No job was due' : `${formatCount(ran, 'job')} ran`)
  })
